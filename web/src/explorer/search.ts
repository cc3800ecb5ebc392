// Engines, started from where the explorer is: what they find can be gone to. And visiting all that can come next.
import { brief, h, long } from '../dom';
import type { Asked, FoundBySearch, NodeLine, SearchLine, Server, VisitLine } from './server';
import { drawnInWords, root, type Visited } from './visited';

/** What harrier tells the page at once. */
export interface About {
  program: string;
  parameters: Record<string, unknown>;
  /** Its one actor is a protocol; its messages are what roles do. */
  protocol: boolean;
  /** The command that replays a saved trace, but for the file's name. */
  replay: string;
  delivery: string;
  engines: string[];
  engine: string;
}

export interface SearchEvents {
  here(): Asked[];
  at(): number;
  go(schedule: Asked[]): Promise<void>;
  grown(): void;
  say(text: string): void;
}

export class SearchPanel {
  readonly root: HTMLElement;
  private readonly engine: HTMLSelectElement;
  private readonly from = h('select', { 'aria-label': 'Where the search begins' }, h('option', { value: 'here' }, 'from here'), h('option', { value: 'root' }, 'from the beginning'));
  private readonly seconds = h('input', { type: 'number', min: 1, max: 86400, value: 10, 'aria-label': 'Seconds at most' });
  private readonly all = h('input', { type: 'checkbox' });
  private readonly depth = h('input', { type: 'number', min: 1, max: 2000, value: 4, 'aria-label': 'Deliveries deep' });
  private readonly most = h('input', { type: 'number', min: 1, max: 1000000, value: 1000, 'aria-label': 'Deliveries at most' });
  private readonly result = h('div', { class: 'search-result', 'aria-live': 'polite' });
  private readonly stop = h('button', { type: 'button', hidden: true, click: () => this.underWay?.abort() }, 'Stop');
  private underWay: AbortController | undefined;

  constructor(about: About, private readonly server: Server, private readonly tree: Visited, private readonly events: SearchEvents) {
    const known = ['auto', ...about.engines.filter((e) => e !== 'auto')];
    this.engine = h('select', { 'aria-label': 'Engine' }, ...known.map((e) => h('option', { value: e, selected: e === about.engine }, e)));
    this.root = h('section', { class: 'searching', 'aria-label': 'Search' },
      h('h2', {}, 'Search'),
      h('div', { class: 'form' }, this.engine, this.from, h('label', {}, this.seconds, ' s'), h('label', {}, this.all, ' all findings'),
        h('button', { type: 'button', click: () => void this.search() }, 'Search')),
      h('div', { class: 'form' }, h('label', {}, 'Visit all from here, ', this.depth, ' deep'), h('label', {}, 'at most ', this.most),
        h('button', { type: 'button', click: () => void this.visitAll() }, 'Visit'), this.stop),
      this.result);
  }

  focus(): void {
    this.engine.focus();
  }

  private async search(): Promise<void> {
    const options: Record<string, string> = { engine: this.engine.value, 'time-limit': this.seconds.value };
    if (this.all.checked) options['keep-going'] = '';
    const schedule = this.from.value === 'root' ? [] : this.events.here();
    await this.during((signal) => this.server.search(schedule, options, (line) => this.hear(line), signal));
  }

  private hear({ progress: p, found, error }: SearchLine): void {
    if (error) return this.fail(error);
    if (p) this.result.textContent = `${p.executions.toLocaleString('en')} executions, ${p.deliveries.toLocaleString('en')} deliveries, ${p.seconds.toFixed(0)} s`;
    if (!found) return;
    this.result.replaceChildren(
      ...found.findings.map((f) => this.finding(f)),
      h('details', { open: found.findings.length === 0 }, h('summary', {}, `engine ${found.engine}${found.exhausted ? ': all was explored' : ''}`),
        h('pre', {}, found.summary), ...found.notes.map((n) => h('p', {}, long(n)))));
  }

  private finding(f: FoundBySearch): HTMLElement {
    return h('p', { class: f.warning ? 'fault' : 'failed' }, h('b', {}, f.kind), ': ', long(f.message), ' ',
      h('button', { type: 'button', click: () => void this.events.go(f.at) }, `Go there (${f.at.length} deliveries)`));
  }

  private async visitAll(): Promise<void> {
    const schedule = this.events.here();
    const numbers = [this.events.at()];
    await this.during((signal) => this.server.visitAll(schedule, Number(this.depth.value), Number(this.most.value), (line) => this.take(line, numbers), signal));
    this.events.grown();
  }

  private take({ nodes, visited, complete, crashed, impossible, error }: VisitLine, numbers: number[]): void {
    if (error) return this.fail(error);
    if (impossible) return this.fail(`Step ${impossible.step + 1} is not possible: ${impossible.why}`);
    for (const line of nodes ?? []) numbers.push(this.add(line, numbers[line.parent] ?? root));
    if (nodes) this.result.textContent = `${(numbers.length - 1).toLocaleString('en')} deliveries…`;
    if (visited !== undefined) this.result.textContent = `${visited.toLocaleString('en')} deliveries: ${complete ? 'that is all there is' : 'there is more'}.`;
    if (crashed) this.fail(`A delivery after step ${crashed.after} ${crashed.what}: what was visited before it is in the tree.`);
  }

  private add(line: NodeLine, parent: number): number {
    const n = this.tree.add(parent, line.id, line.code ?? 0, line.receiver, line.message);
    this.tree.know(n, line.same);
    const node = this.tree.node(n);
    node.drawn = drawnInWords(line.choices, line.faults);
    if (line.found && node.found.length === 0) node.found = line.found;
    return n;
  }

  private fail(why: string): void {
    this.result.replaceChildren(h('p', { class: 'failed', role: 'alert' }, brief(why, 2000)));
  }

  private async during(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.underWay?.abort();
    const mine = new AbortController();
    this.underWay = mine;
    this.stop.hidden = false;
    this.result.textContent = 'Running…';
    try {
      await work(mine.signal);
    } catch (error) {
      if (mine.signal.aborted) this.result.append(' Stopped.');
      else this.fail(error instanceof Error ? error.message : String(error));
    } finally {
      if (this.underWay === mine) this.stop.hidden = true;
    }
  }
}

