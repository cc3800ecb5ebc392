// One order of deliveries: lanes above, the diagram and beside it a list of steps, of which only what is seen exists.
import { draw } from './diagram';
import { brief, h, named, svg } from './dom';
import { type Lanes, lanesOf, rowHeight, Rows, windowAt, type Window } from './layout';
import { beginning, type Trace } from './trace';
import { remarksOf, taken, unseen } from './words';

export interface OrderEvents {
  select(number: number): void;
  chooseActor(name: string): void;
}

/** What is said of a step beside what happened in it: briefly, and at length. */
export interface Remark {
  text: string;
  more: string;
}

const narrowest = 150;  // of the list beside the diagram
const cramped = 330;    // a list below that has no room for what the diagram shows, too
const letter = 7.8;     // of the names of lanes

/** At most `most` letters of it, the last of which tell it from others of its class. */
function shortened(name: string, most: number): string {
  if (name.length <= most) return name;
  const plain = name.replace(/<.*>/, '<…>');
  const tail = /_\d+$/.exec(plain)?.[0] ?? plain.slice(-3);
  return plain.length <= most ? plain : `${plain.slice(0, Math.max(1, most - tail.length - 1))}…${tail}`;
}

export class OrderView {
  readonly root: HTMLElement;
  readonly list: HTMLElement;
  selected = beginning;

  private rows: Rows;
  private lanes: Lanes;
  private window: Window = { first: 0, end: 0 };
  private width = 0;
  private actors: ReadonlySet<string> = new Set();
  private matches: ReadonlySet<number> = new Set();
  private showsPast = true;
  private drawsSoon = false;
  private readonly canvas = svg('svg', { class: 'diagram', 'aria-hidden': 'true' });
  private readonly sizer = h('div', { class: 'sizer' });
  private readonly strip = h('div', { class: 'strip', 'aria-hidden': 'true' });
  private readonly names = h('div', { class: 'names' });

  constructor(readonly trace: Trace, private readonly prefix: string, label: string,
              private readonly events: OrderEvents, private readonly remark: (number: number) => Remark | undefined = () => undefined) {
    this.rows = new Rows(trace, this.actors);
    this.lanes = lanesOf(trace, this.actors, 300);
    this.strip.append(this.names);
    this.list = h('div', { class: 'list', role: 'listbox', tabindex: 0, 'aria-label': label, scroll: () => this.drawSoon() }, this.sizer);
    this.root = h('section', { class: 'order', 'aria-label': label }, this.strip, this.list);
    this.strip.addEventListener('scroll', () => this.drawSoon(true));
    this.list.addEventListener('wheel', (event) => this.scrollLanes(event), { passive: true });
    new ResizeObserver(() => this.fit()).observe(this.list);
  }

  /** Shows the step as the selected one, and scrolls to it. */
  select(number: number): void {
    this.selected = number;
    this.reveal();
    this.drawSoon(true);
  }

  showActors(actors: ReadonlySet<string>): void {
    this.actors = actors;
    this.rows = new Rows(this.trace, actors);
    this.fit();
    this.reveal();
  }

  showMatches(matches: ReadonlySet<number>): void {
    this.matches = matches;
    this.drawSoon(true);
  }

  showPast(shows: boolean): void {
    this.showsPast = shows;
    this.drawSoon(true);
  }

  /** The step that is shown `by` rows further on. */
  moved(by: number): number {
    const row = this.rows.row(this.selected) ?? this.rows.rowUpTo(this.selected);
    return this.rows.numbers[Math.max(0, Math.min(this.rows.count - 1, row + by))]!;
  }

  get shownSteps(): number {
    return this.rows.count - 1;
  }

  isShown(number: number): boolean {
    return this.rows.row(number) !== undefined;
  }

  private fit(): void {
    const whole = this.list.clientWidth;
    if (whole === 0) return;
    const room = Math.max(60, Math.min(whole * (whole < 700 ? 0.5 : 0.6), whole - narrowest));
    this.lanes = lanesOf(this.trace, this.actors, room);
    this.width = Math.min(this.lanes.names.length * this.lanes.pitch, Math.round(room));
    this.sizer.style.height = `${this.rows.count * rowHeight}px`;
    this.root.style.setProperty('--diagram', `${this.width}px`);
    this.names.style.width = `${this.lanes.names.length * this.lanes.pitch}px`;
    const longest = this.lanes.names.reduce((most, name) => Math.max(most, name.length), 0);
    this.root.classList.toggle('tight', this.lanes.pitch < 90 && longest * letter + 4 > this.lanes.pitch);
    this.root.classList.toggle('cramped', whole - this.width < cramped);
    this.reveal();
    this.drawNow();
  }

  private scrollLanes(event: WheelEvent): void {
    if (event.deltaX !== 0) this.strip.scrollLeft += event.deltaX;
  }

  private reveal(): void {
    const row = this.rows.row(this.selected);
    if (row === undefined) return;
    const [top, height] = [row * rowHeight, this.list.clientHeight];
    if (top < this.list.scrollTop + rowHeight) this.list.scrollTop = Math.max(0, top - rowHeight);
    else if (top + 2 * rowHeight > this.list.scrollTop + height) this.list.scrollTop = top + 2 * rowHeight - height;
    this.revealLane(this.trace.step(this.selected)?.receiver);
  }

  private revealLane(actor: string | undefined): void {
    const lane = actor === undefined ? undefined : this.lanes.index.get(actor);
    if (lane === undefined) return;
    const left = lane * this.lanes.pitch;
    if (left < this.strip.scrollLeft) this.strip.scrollLeft = left;
    else if (left + this.lanes.pitch > this.strip.scrollLeft + this.width) this.strip.scrollLeft = left + this.lanes.pitch - this.width;
  }

  private drawSoon(anyway = false): void {
    const { first, end } = windowAt(this.list.scrollTop, this.list.clientHeight, this.rows.count);
    const isFar = Math.abs(first - this.window.first) > 4 || Math.abs(end - this.window.end) > 4;
    if ((!anyway && !isFar) || this.drawsSoon) return;
    this.drawsSoon = true;
    requestAnimationFrame(() => {
      this.drawsSoon = false;
      this.drawNow();
    });
  }

  private drawNow(): void {
    if (this.width === 0) return;
    this.window = windowAt(this.list.scrollTop, this.list.clientHeight, this.rows.count);
    const past = this.showsPast && this.selected !== beginning ? this.trace.pastOf(this.selected) : undefined;
    draw(this.canvas, this.trace, this.rows, this.lanes, this.window,
      { selected: this.selected, past, left: this.strip.scrollLeft, width: this.width });
    this.canvas.style.top = `${this.window.first * rowHeight}px`;
    const rows: HTMLElement[] = [];
    for (let row = this.window.first; row < this.window.end; ++row) rows.push(this.rowElement(row, past));
    const selectedRow = this.rows.row(this.selected);
    const isOut = selectedRow !== undefined && (selectedRow < this.window.first || selectedRow >= this.window.end);
    if (isOut) rows.push(this.rowElement(selectedRow, past));
    this.sizer.replaceChildren(...rows, this.canvas);
    if (selectedRow !== undefined) this.list.setAttribute('aria-activedescendant', this.idOf(this.selected));
    else this.list.removeAttribute('aria-activedescendant');
    this.nameLanes();
  }

  private idOf(number: number): string {
    return `${this.prefix}-step-${number}`;
  }

  private rowElement(row: number, past: Uint8Array | undefined): HTMLElement {
    const number = this.rows.numbers[row]!;
    const step = this.trace.step(number);
    const remark = this.remark(number);
    const names = ['row', number === this.selected && 'selected', past?.[number] === 1 && 'past', this.matches.has(number) && 'match',
      (step?.findings.length ?? 0) > 0 && 'failed', (step?.faults?.length ?? 0) > 0 && 'faulty', remark && 'remarked'].filter(Boolean).join(' ');
    const element = h('div', {
      class: names, role: 'option', id: this.idOf(number), 'aria-selected': String(number === this.selected), 'aria-setsize': this.rows.count,
      'aria-posinset': row + 1, click: () => this.events.select(number),
    });
    element.style.top = `${row * rowHeight}px`;
    if (step) element.style.setProperty('--said', `${brief(step.message).length + 1}ch`);  // with its dot
    const parts = step ? [
      h('span', { class: 'number' }, String(number)),
      h('span', { class: 'what', title: taken(step) }, ...(step.label === undefined ? [h('span', { class: 'who' }, named(step.receiver)), `.${brief(step.message)}`] : [taken(step)])),
      ...(remark ? [h('span', { class: 'badge differs', title: remark.more }, remark.text)] : []),
      ...remarksOf(step).map((r) => h('span', { class: `badge ${r.kind}`, title: r.text }, r.text)),
    ] : [h('span', { class: 'number' }, '0'), h('span', { class: 'what start' }, 'the beginning')];
    for (const part of [...parts, h('span', { class: 'unseen' }, unseen(this.trace, number, remark?.more))]) element.append(part, ' ');
    return element;
  }

  private nameLanes(): void {
    const { pitch, names } = this.lanes;
    const first = Math.max(0, Math.floor(this.strip.scrollLeft / pitch) - 1);
    const shown = names.slice(first, first + Math.ceil(this.width / pitch) + 3);
    const letters = this.root.classList.contains('tight') ? 12 : Math.floor((pitch - 6) / letter);
    this.names.replaceChildren(...shown.map((name, i) => {
      const button = h('button', {
        type: 'button', tabindex: -1, class: `name lane${(first + i) % 8}`, title: `${named(name, 200)}: show its steps only, or all`,
        click: () => this.events.chooseActor(name),
      }, h('span', {}, shortened(named(name, 200), letters)));
      button.style.left = `${(first + i) * pitch}px`;
      button.style.width = `${pitch}px`;
      return button;
    }));
  }
}
