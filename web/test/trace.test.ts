// Traces made ready for questions.
import { describe, expect, test } from 'vitest';
import { repeatsFrom, stepsToShow } from '../src/protocol';
import type { Step, TraceFile } from '../src/story';
import { compare, Trace } from '../src/trace';

/** A delivery; `sends` are `receiver.message`. */
function step(id: string, what: string, sends: string[] = [], more: Partial<Step> = {}): Step {
  const [receiver, message] = what.split('.') as [string, string];
  return {
    id, receiver, message, state: '', event: what, choices: [], creates: [], destroys: false, findings: [],
    sends: sends.map((s) => ({ receiver: s.split('.')[0]!, message: s.split('.')[1]! })), ...more,
  };
}

const called = (trace: Trace, at: number) => trace.pendingAt(at).map((m) => `${m.to}.${m.text}`);
const past = (trace: Trace, at: number) => [...trace.pastOf(at).entries()].flatMap(([n, is]) => (is === 1 ? [n] : []));

/** a asks b and c, which answer; what c does needs nothing of b. */
const asked = () => new Trace([
  step('start', 'a_0.go()', ['b_1.ask()', 'c_2.ask()']), step('1.1', 'c_2.ask()', ['a_0.answer()']), step('1.0', 'b_1.ask()', ['a_0.answer()']),
  step('2.0', 'a_0.answer()'), step('3.0', 'a_0.answer()'),
]);

describe('A message', () => {
  test('is pending from the step that sends it to the one that takes it', () => {
    expect(called(asked(), 0)).toEqual(['a_0.go()']);
    expect(called(asked(), 1)).toEqual(['b_1.ask()', 'c_2.ask()']);
    expect(called(asked(), 2)).toEqual(['b_1.ask()', 'a_0.answer()']);
    expect(called(asked(), 5)).toEqual([]);
  });

  test('is known by the delivery that sent it and its place there, not by its text', () => {
    expect(asked().step(4)!.takes.from).toBe('c_2');
    expect(asked().step(5)!.takes.from).toBe('b_1');
  });

  test('that is lost is not pending', () => {
    const trace = new Trace([step('start', 'a_0.go()', ['b_1.ask()'], { faults: ['ask() to b_1 is lost: a and b are cut off from each other'] })]);

    expect(called(trace, 1)).toEqual([]);
    expect(trace.step(1)!.sent[0]!.lost).toBe(true);
  });

  test('that arrives twice is taken twice from where it was sent', () => {
    const trace = new Trace([
      step('start', 'a_0.go()', ['b_1.ask()'], { faults: ['ask() to b_1 arrives twice'] }), step('1.0', 'b_1.ask()'), step('1.0', 'b_1.ask()'),
    ]);

    expect([2, 3].map((n) => [trace.step(n)!.takes.from, trace.step(n)!.takes.sentAt])).toEqual([['a_0', 1], ['a_0', 1]]);
  });

  test('of a timer or a reply is of a kind of its own', () => {
    const trace = new Trace([step('start', 'a_0.go()', ['a_0.late() by a timer', 'b_1.reply(5)', 'b_1.replay()'])]);

    expect(trace.step(1)!.sent.map((m) => [m.kind, m.text])).toEqual([['timer', 'late()'], ['reply', 'reply(5)'], ['message', 'replay()']]);
  });
});

describe('The causal past', () => {
  test('of a step has what sent its message, and what its receiver took before', () => {
    expect(past(asked(), 2)).toEqual([0, 1, 2]);
    expect(past(asked(), 3)).toEqual([0, 1, 3]);
    expect(past(asked(), 5)).toEqual([0, 1, 2, 3, 4, 5]);
  });
});

describe('An actor', () => {
  test('crashes whatever it is called', () => {
    const who = 'it crashes after this step and restarts; rm';
    const trace = new Trace([step('start', 'a_0.go()', [], { faults: [`${who} crashes in this step, after 2 of its messages and stays away`] })]);

    expect(trace.step(1)!.crashes).toEqual([{ who, staysAway: true }]);
  });

  test('that crashes and stays away, or ends, is gone from then on', () => {
    const trace = new Trace([
      step('start', 'a_0.go()', ['b_1.go()']), step('1.0', 'b_1.go()', [], { faults: ['a_0 crashes before its first message and stays away'], destroys: true }),
    ]);

    expect([trace.lifeOf('a_0').to, trace.lifeOf('b_1').to]).toEqual([2, 2]);
  });

  test('has the state of its last step', () => {
    const trace = new Trace([step('start', 'a_0.go()', ['a_0.go()'], { state: '{n=1}' }), step('1.0', 'a_0.go()', [], { state: '{n=2}' })]);

    expect([0, 1, 2].map((at) => trace.stateOf('a_0', at))).toEqual([undefined, '{n=1}', '{n=2}']);
  });

  test('has its lane by its number, after the driver', () => {
    const names = ['a_10.go()', 'a_9.go()', '__proto__.go()', 'driver.go()'];
    expect(new Trace(names.map((name) => step('start', name))).actors).toEqual(['driver', 'a_9', 'a_10', '__proto__']);
  });
});

describe('Deliveries of the machinery', () => {
  test('are not shown, and what they send comes from where they came from', () => {
    const trace = new Trace([
      step('start', 'a_0.go()', ['pipe_1.carry()']), step('1.0', 'pipe_1.carry()', ['b_2.go()'], { machinery: true }), step('2.0', 'b_2.go()'),
    ]);

    expect(trace.steps.map((s) => s.receiver)).toEqual(['a_0', 'b_2']);
    expect([trace.step(2)!.takes.from, trace.step(2)!.takes.sentAt]).toEqual(['a_0', 1]);
  });
});

describe('Two orders', () => {
  test('part at the first step that is another, and say what comes out of each', () => {
    const one = new Trace([step('start', 'a.x', [], { state: '1' }), step('start', 'b.y', [], { state: '1' }), step('start', 'c.z')]);
    const other = new Trace([step('start', 'a.x', [], { state: '1' }), step('start', 'c.z'), step('start', 'b.y', [], { state: '2' })]);

    expect(compare(one, other)).toEqual({ parting: 2, same: ['same', 'differs', 'same'] });
  });

  test('of which one is the beginning of the other do not part', () => {
    const one = new Trace([step('start', 'a.x')]);
    const other = new Trace([step('start', 'a.x'), step('start', 'b.y')]);

    expect(compare(one, other).parting).toBe(0);
    expect(compare(other, one).same).toEqual(['same', 'only here']);
  });
});

describe('A run of a protocol', () => {
  const trace = (actions: string[], parameters: Record<string, unknown> = {}): TraceFile => ({
    program: 'harrier protocol', parameters, engine: '', delivery: '', steps: actions.map((a, i) => step(`${i}.0`, `session_0.${a}`)),
    finding: { kind: 'ltl', message: '', actor: '', file: '', line: 0, details: [], occurrences: 1 },
  });

  test('is taken by its roles, and each RECV takes the oldest SEND of its kind', () => {
    const told = trace(['a SEND T TO b', 'a SEND U TO b', 'a SEND T TO b', 'b RECV U FROM a', 'b RECV T FROM a']);
    const roles = new Trace(stepsToShow(told, told.steps));

    expect(roles.actors).toEqual(['a', 'b']);
    expect(roles.steps.map((s) => [s.receiver, s.takes.sentAt])).toEqual([['a', 0], ['a', 1], ['a', 2], ['b', 2], ['b', 1]]);
    expect(roles.messages.map((m) => m.takenAt)).toEqual([5, 4, Infinity]);
  });

  test('repeats itself after its prefix, if it does', () => {
    expect(repeatsFrom(trace([], { end: 'cycle', prefix: 1 }))).toBe(2);
    expect(repeatsFrom(trace([], { end: 'cycle', prefix: '1' }))).toBe(2);
    expect(repeatsFrom(trace([], { end: 'stop', prefix: 1 }))).toBeUndefined();
  });
});
