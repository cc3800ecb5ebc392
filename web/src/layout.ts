// Where things of the diagram are: pure, so that it can be tested without a browser.
import { beginning, type Message, type Trace } from './trace';

export const rowHeight = 30;

/** The rows that are drawn: [first, end). Row 0 is the beginning; row r otherwise is the r-th step that is shown. */
export interface Window {
  first: number;
  end: number;
}

/** What of `rows` rows is drawn where `height` pixels are seen from `top` on, with as much again above and below. */
export function windowAt(top: number, height: number, rows: number): Window {
  const seen = Math.ceil(height / rowHeight) + 1;
  const first = Math.max(0, Math.floor(top / rowHeight) - seen);
  return { first: Math.min(first, Math.max(0, rows - 1)), end: Math.min(rows, Math.floor(top / rowHeight) + 2 * seen) };
}

/** Which steps are shown, and on which rows. */
export class Rows {
  /** numbers[row] is the number of the step on that row. */
  readonly numbers: number[];
  private readonly rowOf: Int32Array;

  /** @param actors  only steps that one of these takes are shown; empty: all. */
  constructor(trace: Trace, actors: ReadonlySet<string>) {
    const shown = trace.steps.filter((s) => actors.size === 0 || actors.has(s.receiver)).map((s) => s.number);
    this.numbers = [beginning, ...shown];
    this.rowOf = new Int32Array(trace.length + 1).fill(-1);
    this.numbers.forEach((number, row) => (this.rowOf[number] = row));
  }

  get count(): number {
    return this.numbers.length;
  }

  /** The row of a step; undefined: it is not shown. */
  row(number: number): number | undefined {
    const row = this.rowOf[number] ?? -1;
    return row < 0 ? undefined : row;
  }

  /** The row of the last shown step up to `number`. */
  rowUpTo(number: number): number {
    let low = 0;
    for (let high = this.numbers.length; low < high;) {
      const middle = (low + high) >> 1;
      if (this.numbers[middle]! <= number) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }
}

export interface Lanes {
  names: string[];
  index: Map<string, number>;
  /** Pixels between two lanes. */
  pitch: number;
}

/** A lane for each actor that is chosen, and for those from which the chosen take something. */
export function lanesOf(trace: Trace, actors: ReadonlySet<string>, width: number): Lanes {
  const partners = new Set(actors);
  if (actors.size > 0) for (const s of trace.steps) if (actors.has(s.receiver)) partners.add(s.takes.from);
  const names = actors.size === 0 ? trace.actors : trace.actors.filter((a) => partners.has(a));
  const pitch = Math.max(34, Math.min(130, Math.floor(width / Math.max(1, names.length))));
  return { names, index: new Map(names.map((name, i) => [name, i])), pitch };
}

export interface Arrow {
  message: Message;
  /** Row of the sender's step; where that is not shown, half a row above the one that takes it. */
  fromRow: number;
  toRow: number;
  /** The sender's step is not shown. */
  cut: boolean;
}

/** How many arrows are drawn that only pass through the window. */
export const mostPassing = 60;

/** Arrows that begin or end in the window, and some of those that pass through it. */
export function arrowsIn(trace: Trace, rows: Rows, lanes: Lanes, window: Window, selected: number): Arrow[] {
  const arrows: Arrow[] = [];
  let passing = 0;
  const inside = (row: number) => row >= window.first && row < window.end;
  for (const m of trace.messages) {
    if (!lanes.index.has(m.from) || !lanes.index.has(m.to) || m.takenAt === Infinity) continue;
    const toRow = rows.row(m.takenAt);
    if (toRow === undefined) continue;
    const sender = rows.row(m.sentAt);
    const fromRow = sender ?? toRow - 0.5;
    if (fromRow >= window.end || toRow < window.first) continue;
    const ends = inside(fromRow) || inside(toRow);
    if (!ends && m.takenAt !== selected && ++passing > mostPassing) continue;
    arrows.push({ message: m, fromRow, toRow, cut: sender === undefined });
  }
  return arrows;
}

/** What never arrives, or not in this trace, and was sent in the window. */
export function stubsIn(rows: Rows, lanes: Lanes, window: Window, trace: Trace): { message: Message; row: number; rank: number }[] {
  const stubs: { message: Message; row: number; rank: number }[] = [];
  for (let row = window.first; row < window.end; ++row) {
    const left = (trace.step(rows.numbers[row]!)?.sent ?? []).filter((m) => m.takenAt === Infinity && lanes.index.has(m.to));
    left.forEach((message, rank) => stubs.push({ message, row, rank }));
  }
  return stubs;
}
