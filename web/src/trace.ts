// A trace made ready for questions: who sent what, what was pending when, what led to what. Pure, and linear in its length.
import type { Step } from './story';

/** The moment before the first step, and where what the driver sent before it comes from. */
export const beginning = 0;

/** `own`: no message, but that the actor acts by itself. */
export type MessageKind = 'message' | 'reply' | 'timer' | 'own';

export interface Message {
  text: string;
  kind: MessageKind;
  from: string;
  to: string;
  /** The number of the step that sent it; `beginning` for what was sent before the first one. */
  sentAt: number;
  /** The number of the step that takes it; Infinity: none does. */
  takenAt: number;
  /** What befell it on its way. */
  lost: boolean;
}

export interface TracedStep extends Step {
  /** From 1, of the steps that are shown. */
  number: number;
  /** The message that it takes. */
  takes: Message;
  sent: Message[];
  crashes: Crash[];
}

const byTimer = ' by a timer';
const driver = 'driver';

interface Place {
  step: number;
  index: number;
}

/** `k.i`: message i of delivery k. */
function placeOf(id: string): Place | undefined {
  const found = /^(-?\d+)\.(\d+)/.exec(id);
  return found ? { step: Number(found[1]), index: Number(found[2]) } : undefined;
}

const plainText = (text: string) => (text.endsWith(byTimer) ? text.slice(0, -byTimer.length) : text);

function kindOf(text: string): MessageKind {
  if (text.endsWith(byTimer)) return 'timer';
  return text.startsWith('reply(') ? 'reply' : 'message';
}

function sentBy(step: Step, at: number): Message[] {
  const all = step.sends.map((send): Message => ({
    text: plainText(send.message), kind: kindOf(send.message), from: step.receiver, to: send.receiver,
    sentAt: at, takenAt: Infinity, lost: false,
  }));
  for (const fault of step.faults ?? []) {
    const lost = all.find((m) => !m.lost && fault.startsWith(`${m.text} to ${m.to} is lost`));
    if (lost) lost.lost = true;
  }
  return all;
}

export interface Crash {
  who: string;
  staysAway: boolean;
}

/** The words of harrier's own are at the end: a name can be anything. */
const crash = /^([^]*) crashes (?:before its first message|after this step|in this step, after \d+ of its messages) and (restarts|stays away)$/;

function crashesIn(step: Step): Crash[] {
  return (step.faults ?? []).flatMap((fault) => {
    const found = crash.exec(fault);
    return found ? [{ who: found[1]!, staysAway: found[2] === 'stays away' }] : [];
  });
}

/** Actors by the number in their names, which is the order of their creation; the driver first. */
function inOrderOfCreation(names: Iterable<string>): string[] {
  const place = (name: string) => (name === driver ? -1 : Number(/_(\d+)$/.exec(name)?.[1] ?? Infinity));
  return [...names]
    .map((name, index) => ({ name, index, place: place(name) }))
    .sort((a, b) => (a.place === b.place ? a.index - b.index : a.place - b.place))
    .map((x) => x.name);
}

export class Trace {
  /** steps[n - 1] is step n. */
  readonly steps: TracedStep[] = [];
  readonly actors: string[];
  readonly messages: Message[] = [];
  /** Of each actor the numbers of the steps that it takes, ascending. */
  private readonly turns = new Map<string, number[]>();
  /** The step of the same receiver before each one; 0: none. */
  private readonly before: number[] = [];
  private readonly lives = new Map<string, { from: number; creator: string; to: number }>();
  private readonly byEvent = new Map<string, number>();

  constructor(all: readonly Step[]) {
    this.link(all);
    this.actors = this.meetActors();
    this.readLives();
  }

  step(number: number): TracedStep | undefined {
    return this.steps[number - 1];
  }

  get length(): number {
    return this.steps.length;
  }

  /** The step of the same name in another order of the same program. */
  ofEvent(event: string | undefined): number | undefined {
    return event ? this.byEvent.get(event) : undefined;
  }

  /** The last step up to `at` that the actor takes; 0: none. */
  lastTurn(actor: string, at: number): number {
    const turns = this.turns.get(actor) ?? [];
    let low = 0;
    for (let high = turns.length; low < high;) {
      const middle = (low + high) >> 1;
      if (turns[middle]! <= at) low = middle + 1;
      else high = middle;
    }
    return turns[low - 1] ?? beginning;
  }

  /** The first step after `at` that the actor takes; 0: none. */
  nextTurn(actor: string, at: number): number {
    return (this.turns.get(actor) ?? []).find((n) => n > at) ?? beginning;
  }

  /** Its state after step `at`; undefined: it has taken no step yet. */
  stateOf(actor: string, at: number): string | undefined {
    return this.step(this.lastTurn(actor, at))?.state;
  }

  /** Its state before the step. */
  stateBefore(number: number): string | undefined {
    return this.step(this.before[number - 1] ?? 0)?.state;
  }

  /** When the actor is first there, who creates it, and after which step it is gone (Infinity: it stays). */
  lifeOf(actor: string): { from: number; creator: string; to: number } {
    return this.lives.get(actor) ?? { from: beginning, creator: '', to: Infinity };
  }

  /** What is on its way after step `at`, in the order of sending. */
  pendingAt(at: number): Message[] {
    return this.messages.filter((m) => m.sentAt <= at && m.takenAt > at && !m.lost);
  }

  /** Which steps must come before step `at` (and itself): past[n] is 1 for those. */
  pastOf(at: number): Uint8Array {
    const past = new Uint8Array(this.length + 1);
    past[at] = 1;
    for (let n = at; n > beginning; --n) {
      if (!past[n]) continue;
      past[this.before[n - 1]!] = 1;
      past[this.steps[n - 1]!.takes.sentAt] = 1;
    }
    return past;
  }

  private link(all: readonly Step[]): void {
    const numbers: number[] = [];  // of each delivery: the step that shows it, or the one that a hidden one carries on from
    const sentByDelivery: Message[][] = [];
    const isShown = (step: Step) => !step.machinery || step.findings.length > 0;
    for (const step of all) {
      const place = placeOf(step.id);
      const number = isShown(step) ? this.steps.length + 1 : (numbers[(place?.step ?? 0) - 1] ?? beginning);
      const takes = this.takenBy(step, place, sentByDelivery);
      const sent = sentBy(step, number);
      numbers.push(number);
      sentByDelivery.push(sent);
      if (isShown(step)) {
        takes.takenAt = number;
        this.add({ ...step, number, takes, sent, crashes: crashesIn(step) });
      } else {
        this.messages.splice(this.messages.indexOf(takes), 1);
        for (const m of sent) m.from = takes.from;
      }
      this.messages.push(...sent);
    }
  }

  private takenBy(step: Step, place: Place | undefined, sentByDelivery: Message[][]): Message {
    if (step.own) return this.nothingFor(step);
    const sent = place && place.step > 0 ? sentByDelivery[place.step - 1] : undefined;
    const fits = (m: Message | undefined) => m !== undefined && m.to === step.receiver && m.takenAt === Infinity;
    const isIt = (m: Message) => fits(m) && !m.lost && m.text === step.message;
    const found = sent && (fits(sent[place!.index]) ? sent[place!.index] : sent.find(isIt));
    if (found) return found;
    const made: Message = {
      text: step.message, kind: kindOf(step.message), from: sent ? (sent[0]?.from ?? driver) : driver, to: step.receiver,
      sentAt: sent?.[0]?.sentAt ?? beginning, takenAt: Infinity, lost: false,
    };
    this.messages.push(made);
    return made;
  }

  private nothingFor({ message, receiver }: Step): Message {
    const sentAt = this.turns.get(receiver)?.at(-1) ?? beginning;
    return { text: message, kind: 'own', from: receiver, to: receiver, sentAt, takenAt: Infinity, lost: false };
  }

  private add(step: TracedStep): void {
    this.before.push(this.turns.get(step.receiver)?.at(-1) ?? beginning);
    const turns = this.turns.get(step.receiver);
    if (turns) turns.push(step.number);
    else this.turns.set(step.receiver, [step.number]);
    this.steps.push(step);
    if (step.event) this.byEvent.set(step.event, step.number);
  }

  private meetActors(): string[] {
    const names = new Set<string>();
    for (const step of this.steps) {
      names.add(step.takes.from);
      names.add(step.receiver);
      for (const made of step.creates) names.add(made);
      for (const m of step.sent) names.add(m.to);
    }
    return inOrderOfCreation(names);
  }

  private readLives(): void {
    for (const step of this.steps) {
      for (const made of step.creates)
        if (made !== step.receiver) this.lives.set(made, { from: step.number, creator: step.receiver, to: Infinity });
      if (step.destroys) this.lives.set(step.receiver, { ...this.lifeOf(step.receiver), to: step.number });
      for (const { who, staysAway } of step.crashes)
        if (staysAway) this.lives.set(who, { ...this.lifeOf(who), to: step.number });
    }
  }
}

/** How two orders of one program differ. */
export interface Comparison {
  /** The first step at which they do something else; 0: one is the beginning of the other. */
  parting: number;
  /** Of each step of the first, by number - 1, whether the second has it with the same outcome. */
  same: ('same' | 'differs' | 'only here')[];
}

/** Compares `one` with `other`, step by step and by what happens in both. */
export function compare(one: Trace, other: Trace): Comparison {
  const same = one.steps.map((step) => {
    const there = other.step(other.ofEvent(step.event) ?? 0);
    if (!there) return 'only here';
    return there.state === step.state && there.findings.join() === step.findings.join() ? 'same' : 'differs';
  });
  const shared = Math.min(one.length, other.length);
  let n = 1;
  while (n <= shared && one.step(n)!.event === other.step(n)!.event) ++n;
  return { parting: n <= shared ? n : 0, same };
}
