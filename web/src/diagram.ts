// The space-time diagram: a lane an actor, a row a step, an arrow a message. Drawn for the rows in a window only.
import { svg } from './dom';
import { arrowsIn, type Arrow, type Lanes, rowHeight, type Rows, stubsIn, type Window } from './layout';
import type { Trace, TracedStep } from './trace';

export interface Looks {
  selected: number;
  /** Which steps come before the selected one; undefined: that is not shown. */
  past: Uint8Array | undefined;
  /** How far the lanes are scrolled to the left, and how wide the diagram is. */
  left: number;
  width: number;
}

const colours = 8;

class Drawing {
  private readonly shapes: SVGElement[] = [];

  constructor(private readonly trace: Trace, private readonly rows: Rows, private readonly lanes: Lanes,
              private readonly window: Window, private readonly looks: Looks) {}

  all(): SVGElement[] {
    this.drawLanes();
    for (const arrow of arrowsIn(this.trace, this.rows, this.lanes, this.window, this.looks.selected)) this.drawArrow(arrow);
    for (const { message, row, rank } of stubsIn(this.rows, this.lanes, this.window, this.trace))
      if (rank < 8) this.drawStub(message.from, message.to, row, rank, message.lost);
    for (let row = this.window.first; row < this.window.end; ++row) this.drawStep(row);
    return this.shapes;
  }

  private x(actor: string): number {
    return (this.lanes.index.get(actor) ?? 0) * this.lanes.pitch + this.lanes.pitch / 2 - this.looks.left;
  }
  private y(row: number): number {
    return (row - this.window.first) * rowHeight + rowHeight / 2;
  }
  private isNear(x: number): boolean {
    return x > -this.lanes.pitch && x < this.looks.width + this.lanes.pitch;
  }
  private add(tag: string, attributes: Record<string, string | number>): void {
    this.shapes.push(svg(tag, attributes));
  }
  /** It did not lead to the selected step. */
  private isApart(number: number): boolean {
    return this.looks.past !== undefined && this.looks.past[number] !== 1;
  }
  private isPast(number: number): boolean {
    return this.looks.past !== undefined && this.looks.past[number] === 1;
  }

  private drawLanes(): void {
    for (const name of this.lanes.names) {
      const x = this.x(name);
      if (!this.isNear(x)) continue;
      const life = this.trace.lifeOf(name);
      const top = life.from === 0 ? 0 : this.rows.rowUpTo(life.from);
      const bottom = life.to === Infinity ? this.rows.count : this.rows.rowUpTo(life.to);
      if (bottom < this.window.first || top >= this.window.end) continue;
      const from = Math.max(top, this.window.first - 0.5);
      const to = Math.min(bottom, this.window.end - 0.5);
      this.add('line', { class: 'lane', x1: x, x2: x, y1: this.y(from), y2: this.y(to) });
      if (life.to !== Infinity && bottom >= this.window.first && bottom < this.window.end)
        this.add('path', { class: 'gone', d: `M${x - 8} ${this.y(bottom) + 11}h16` });
    }
  }

  private drawArrow({ message: m, fromRow, toRow, cut }: Arrow): void {
    const [x1, x2, y1, y2] = [this.x(m.from), this.x(m.to), this.y(fromRow), this.y(toRow)];
    if ((x1 < -50 && x2 < -50) || (x1 > this.looks.width + 50 && x2 > this.looks.width + 50)) return;
    const isPending = m.sentAt <= this.looks.selected && m.takenAt > this.looks.selected;
    const names = ['arrow', m.kind, cut && 'cut', this.isPast(m.takenAt) ? 'past' : this.isApart(m.takenAt) && !isPending && 'apart', isPending && 'pending',
      m.takenAt === this.looks.selected && 'taken'].filter(Boolean).join(' ');
    if (m.from === m.to) {
      const out = Math.min(20, this.lanes.pitch / 2 - 4);
      this.add('path', { class: names, d: `M${x1} ${y1}C${x1 + out} ${y1} ${x1 + out} ${y2} ${x2 + 7} ${y2}` });
      this.drawHead(names, x2 + 7, y2, Math.PI);
      return;
    }
    const angle = Math.atan2(y2 - y1, x2 - x1);
    const [endX, endY] = [x2 - Math.cos(angle) * 8, y2 - Math.sin(angle) * 8];
    this.add('path', { class: names, d: `M${x1} ${y1}L${endX} ${endY}` });
    this.drawHead(names, endX, endY, angle);
  }

  private drawHead(names: string, x: number, y: number, angle: number): void {
    const corner = (turn: number) => `${x - Math.cos(angle + turn) * 8} ${y - Math.sin(angle + turn) * 8}`;
    this.add('path', { class: `head ${names}`, d: `M${corner(0.45)}L${x} ${y}L${corner(-0.45)}` });
  }

  /** A message that no step takes. */
  private drawStub(from: string, to: string, row: number, rank: number, lost: boolean): void {
    const [x1, y1] = [this.x(from), this.y(row)];
    const toward = Math.sign(this.x(to) - x1) || 1;
    const x2 = x1 + toward * Math.min(26, this.lanes.pitch * 0.6);
    const y2 = y1 + 4 + Math.min(rank, 4) * 5;
    this.add('path', { class: lost ? 'stub lost' : 'stub', d: `M${x1} ${y1}L${x2} ${y2}` });
    if (lost) this.add('path', { class: 'cross', d: `M${x2 - 4} ${y2 - 4}l8 8m0 -8l-8 8` });
    else this.add('circle', { class: 'open-end', cx: x2, cy: y2, r: 2.5 });
  }

  private drawStep(row: number): void {
    const step = this.trace.step(this.rows.numbers[row]!);
    if (!step) return;
    for (const made of step.creates) this.drawCreation(step, made, row);
    for (const { who } of step.crashes) this.drawCrash(who, row);
    const [x, y] = [this.x(step.receiver), this.y(row)];
    if (!this.isNear(x)) return;
    const lane = (this.lanes.index.get(step.receiver) ?? 0) % colours;
    const names = ['node', `lane${lane}`, this.isPast(step.number) && 'past', this.isApart(step.number) && 'apart', step.number === this.looks.selected && 'selected'];
    if (step.number === this.looks.selected) this.add('circle', { class: 'halo', cx: x, cy: y, r: 11 });
    if (step.findings.length > 0) {
      this.add('path', { class: 'failure', d: `M${x} ${y - 9}l9 9l-9 9l-9 -9z` });
      this.add('path', { class: 'failure-mark', d: `M${x} ${y - 5}v5m0 3v1.5` });
    } else {
      this.add('circle', { class: names.filter(Boolean).join(' '), cx: x, cy: y, r: 6.5 });
      if (step.takes.kind === 'timer') this.add('path', { class: 'clock', d: `M${x} ${y - 4}v4h3` });
    }
    if (step.choices.length > 0) this.add('path', { class: 'drawn', d: `M${x - 12} ${y - 11}l4 4l-4 4l-4 -4z` });
    if ((step.faults?.length ?? 0) > 0) this.add('path', { class: 'fault', d: `M${x - 13} ${y + 3}l5 9h-10z` });
  }

  private drawCreation(step: TracedStep, made: string, row: number): void {
    if (!this.lanes.index.has(made)) return;
    const [x1, x2, y] = [this.x(step.receiver), this.x(made), this.y(row)];
    if (!this.isNear(x2) && !this.isNear(x1)) return;
    this.add('path', { class: 'creation', d: `M${x1} ${y}L${x2} ${y}` });
    this.add('path', { class: 'created', d: `M${x2 - 5} ${y - 5}h10v10h-10z` });
  }

  private drawCrash(who: string, row: number): void {
    const [x, y] = [this.x(who), this.y(row) + 13];
    if (this.lanes.index.has(who) && this.isNear(x)) this.add('path', { class: 'cross crash', d: `M${x - 4} ${y - 4}l8 8m0 -8l-8 8` });
  }
}

/** Draws the rows of `window` into `canvas`, an svg element that stands where the window begins. */
export function draw(canvas: SVGElement, trace: Trace, rows: Rows, lanes: Lanes, window: Window, looks: Looks): void {
  const height = (window.end - window.first) * rowHeight;
  canvas.setAttribute('width', String(looks.width));
  canvas.setAttribute('height', String(height));
  canvas.setAttribute('viewBox', `0 0 ${looks.width} ${height}`);
  canvas.replaceChildren(...new Drawing(trace, rows, lanes, window, looks).all());
}
