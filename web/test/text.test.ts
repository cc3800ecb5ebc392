// States taken apart, and places of what is drawn.
import { expect, test } from 'vitest';
import { arrowsIn, lanesOf, mostPassing, Rows, rowHeight, windowAt } from '../src/layout';
import { changesOf, fieldsOf } from '../src/state_text';
import type { Step } from '../src/story';
import { Trace } from '../src/trace';

const everybody: ReadonlySet<string> = new Set();

test('Fields are told apart by commas outside brackets and quotes', () => {
  expect(fieldsOf(`{a={x=1, y=[2, 3]}, b="}, c=\\"", c=','}`)).toEqual([
    { name: 'a', value: '{x=1, y=[2, 3]}' }, { name: 'b', value: '"}, c=\\""' }, { name: 'c', value: "','" },
  ]);
});

test('What is no object, or has parts without names, has no fields', () => {
  expect([fieldsOf('5'), fieldsOf('{a, b}'), fieldsOf('{=1}'), fieldsOf('')]).toEqual([undefined, undefined, undefined, undefined]);
  expect(fieldsOf('{}')).toEqual([]);
});

test('A change is a field with another value than before', () => {
  expect(changesOf('{a=1, b=2}', '{a=1, b=3}').map((c) => [c.name, c.before, c.after, c.changed])).toEqual([['a', '1', '1', false], ['b', '2', '3', true]]);
  expect(changesOf(undefined, '{a=1}')[0]!.changed).toBe(false);
  expect(changesOf('1', '2')).toEqual([{ name: '', before: '1', after: '2', changed: true }]);
});

/** Two actors that pass balls, and the driver, who sends the first. */
function passing(steps: number): Trace {
  const made = (i: number): Step => ({
    id: i === 0 ? 'start' : `${Math.max(1, i - 1)}.0`, receiver: `p_${i % 2}`, message: 'ball()', state: '', choices: [], creates: [], destroys: false, findings: [],
    sends: [{ receiver: `p_${i % 2}`, message: 'ball()' }],
  });
  return new Trace(Array.from({ length: steps }, (_, i) => made(i)));
}

test('What is drawn is what is seen, and as much again above and below', () => {
  expect(windowAt(0, 10 * rowHeight, 1000)).toEqual({ first: 0, end: 22 });
  expect(windowAt(500 * rowHeight, 10 * rowHeight, 1000)).toEqual({ first: 489, end: 522 });
  expect(windowAt(5000 * rowHeight, 10 * rowHeight, 1000).end).toBe(1000);
});

test('The steps of chosen actors are on rows of their own', () => {
  const rows = new Rows(passing(10), new Set(['p_1']));

  expect(rows.numbers).toEqual([0, 2, 4, 6, 8, 10]);
  expect([rows.row(3), rows.row(4), rows.rowUpTo(3)]).toEqual([undefined, 2, 1]);
});

test('Arrows are drawn that touch the window, and few of those that pass through', () => {
  const trace = new Trace(Array.from({ length: 400 }, (_, i): Step => ({
    id: i === 0 ? 'start' : i < 200 ? 'start' : `${i - 199}.0`, receiver: i < 200 ? 'a_0' : 'b_1', message: 'm()', state: '', choices: [], creates: [], destroys: false,
    findings: [], sends: i < 200 ? [{ receiver: 'b_1', message: 'm()' }] : [],
  })));
  const arrows = arrowsIn(trace, new Rows(trace, everybody), lanesOf(trace, everybody, 300), { first: 195, end: 205 }, 0);

  expect(arrows.length).toBeGreaterThan(10);
  expect(arrows.length).toBeLessThanOrEqual(mostPassing + 2 * 10 + 6);
});

test('Lanes have room for their actors, and are no closer than a sign is wide', () => {
  expect(lanesOf(passing(4), everybody, 210).pitch).toBe(70);
  expect(lanesOf(passing(4), everybody, 10).pitch).toBe(34);
});
