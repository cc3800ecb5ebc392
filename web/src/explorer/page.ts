// The explorer: a line of deliveries from the beginning, a place in it, and the tree of all that was visited.
import { brief, h, named, visible } from '../dom';
import { OrderView } from '../order_view';
import { stepsToShow } from '../protocol';
import type { Step, TraceFile } from '../story';
import { beginning, Trace } from '../trace';
import { explorerHelp } from './help';
import { type NameOf, Now } from './now';
import { type About, SearchPanel } from './search';
import type { Asked, Pending, Reached, Server, Visit } from './server';
import { TreeView } from './tree_view';
import { root, scheduleFrom, scheduleInWords, Visited } from './visited';

const mostKept = 200;  // answers

const plural = (n: number, one: string, many: string) => `${n.toLocaleString('en')} ${n === 1 ? one : many}`;

export class ExplorerPage {
  private readonly tree = new Visited();
  /** The nodes from the root to the end of the line, which may be further than where we are. */
  private line: number[] = [root];
  private at = root;
  private readonly answers = new Map<number, Visit>();
  private isBusy = false;

  private view: OrderView | undefined;
  /** Of each place in the line the number of its step in the diagram. */
  private numbers: number[] = [beginning];
  /** A delivery as it is called. */
  private readonly named: NameOf = (receiver, message, most) =>
    (this.about.protocol ? '' : `${named(receiver, 60)}.`) + brief(message, most);
  private readonly diagram = h('div', { class: 'column diagram-column' });
  private readonly now = new Now(this.tree, this.named, { deliver: (p) => void this.deliver(p), draw: (code) => void this.drawOther(code), save: (i) => void this.save(i) });
  private readonly treeView = new TreeView(this.tree, this.named, (n) => void this.go(n));
  private readonly count = h('span', { class: 'muted' });
  private readonly position = h('span', { class: 'position' });
  private readonly status = h('div', { role: 'status', class: 'status' });
  private readonly help = explorerHelp();
  private readonly searching: SearchPanel;

  constructor(private readonly about: About, private readonly server: Server, place: HTMLElement) {
    document.title = `${visible(about.program)}: harrier web`;
    this.searching = new SearchPanel(about, server, this.tree, {
      here: () => this.tree.schedule(this.at), go: (schedule) => this.follow(schedule), say: (text) => this.say(text),
      grown: () => this.showTree(), at: () => this.at,
    });
    const given = Object.entries(about.parameters).map(([name, value]) => ` ${brief(name, 60)}=${brief(String(value), 80)}`).join('');
    place.append(
      h('header', {}, h('h1', {}, brief(about.program), h('span', { class: 'muted' }, `${given} · delivery ${about.delivery}`))),
      h('main', {}, this.toolbar(), h('div', { class: 'panes explorer' }, this.diagram,
        h('aside', { class: 'detail', tabindex: 0, 'aria-label': 'Here' }, this.now.root),
        h('aside', { class: 'side', 'aria-label': 'What was visited, and searches' }, this.searching.root, h('h2', {}, 'Visited ', this.count), this.treeView.list))),
      this.status, this.help);
    document.addEventListener('keydown', (event) => this.press(event));
    void this.follow(scheduleFrom(decodeURIComponent(location.hash.slice(1))));
  }

  private toolbar(): HTMLElement {
    const button = (text: string, label: string, click: () => void) => h('button', { type: 'button', 'aria-label': label, title: label, click }, text);
    return h('div', { class: 'toolbar', role: 'toolbar', 'aria-label': 'Steps' },
      button('|◀', 'To the beginning (Home)', () => this.toPlace(0)), button('◀', 'One step back (↑)', () => this.move(-1)), this.position,
      button('▶', 'Next step of this line (↓)', () => this.move(1)), button('▶|', 'To the end of this line (End)', () => this.toPlace(Infinity)),
      h('button', { type: 'button', class: 'save', click: () => void this.save(0) }, 'Save trace'),
      button('?', 'Keys and signs (?)', () => this.help.showModal()));
  }

  // --- Going

  private async deliver(p: Pending): Promise<void> {
    await this.go(this.tree.add(this.at, p.id, 0, p.receiver, p.message));
  }

  private async drawOther(code: number): Promise<void> {
    const { parent, id, receiver, message } = this.tree.node(this.at);
    await this.go(this.tree.add(parent, id, code, receiver, message));
  }

  /** Along a schedule, which may be new. */
  private async follow(schedule: Asked[]): Promise<void> {
    let node = root;
    for (const { id, code } of schedule) node = this.tree.add(node, id, code, '', '');
    await this.go(node);
  }

  private async go(node: number): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    document.body.setAttribute('aria-busy', 'true');
    const late = setTimeout(() => this.say('Waiting for the program…'), 400);
    try {
      await this.visit(node);
      this.say('');
    } catch (error) {
      this.say(error instanceof Error ? error.message : String(error));
      if (this.view === undefined) this.now.showNothing(String(error instanceof Error ? error.message : error));
    } finally {
      clearTimeout(late);
      this.isBusy = false;
      document.body.removeAttribute('aria-busy');
    }
  }

  private async visit(node: number): Promise<void> {
    const path = this.tree.path(node);
    const known = this.answers.get(node);
    if (known) {
      this.answers.delete(node);  // it is the youngest again
      this.answers.set(node, known);
      return this.arrive(node);
    }
    const unknown = path.findIndex((n) => n !== root && this.tree.node(n).step === undefined);
    const from = unknown === -1 ? path.length - 1 : unknown - 1;
    const schedule = this.tree.schedule(node);
    const seen = await this.server.visit(schedule, from);
    seen.steps.forEach((step, i) => this.tree.addStep(path[from + i]!, step, schedule[from + i]!.code));
    this.fillIn(path);
    if (seen.impossible) {
      this.tree.forget(node);
      throw new Error(`Step ${seen.impossible.step + 1} is not possible: ${seen.impossible.why}`);
    }
    if (seen.crashed) {
      const { step } = seen.crashed;
      const there = this.tree.addCrash(path[step]!, seen.crashed, schedule[step] ?? { id: '', code: 0 });
      this.keep(there, seen);
      return this.arrive(there);
    }
    this.tree.know(node, seen.state!.same);
    const node_ = this.tree.node(node);
    for (const f of seen.state!.findings) if (!f.warning && !node_.found.some((x) => x.includes(f.message))) node_.found.push(`${f.kind}: ${f.message}`);
    this.keep(node, seen);
    this.arrive(node);
  }

  /** Nodes of a schedule that was only known by its ids have names now. */
  private fillIn(path: number[]): void {
    for (const n of path) {
      const node = this.tree.node(n);
      if (node.step && node.receiver === '') Object.assign(node, { receiver: node.step.receiver, message: node.step.message });
    }
  }

  private keep(node: number, seen: Visit): void {
    this.answers.set(node, seen);
    const oldest = this.answers.keys().next();
    if (this.answers.size > mostKept && !oldest.done) this.answers.delete(oldest.value);
  }

  private arrive(node: number): void {
    const path = this.tree.path(node);
    const isOnLine = this.line[path.length - 1] === node;
    this.at = node;
    if (!isOnLine || this.view === undefined) this.newLine(path);
    const place = path.length - 1;
    this.view!.select(this.numbers[place]!);
    this.position.textContent = `${place} / ${this.line.length - 1}`;
    const before = this.answers.get(this.tree.node(node).parent)?.state;
    this.now.show(node, this.answers.get(node)!, before);
    history.replaceState(null, '', `#${scheduleInWords(this.tree.schedule(node))}`);
    this.showTree();
  }

  private newLine(path: number[]): void {
    this.line = path;
    const steps = path.slice(1).map((n) => this.stepOf(n));
    let shown = beginning;
    this.numbers = [beginning, ...steps.map((s) => (s.machinery && s.findings.length === 0 ? shown : ++shown))];
    const trace = new Trace(this.about.protocol ? stepsToShow({ program: 'harrier protocol' } as TraceFile, steps) : steps);
    this.view = new OrderView(trace, 'line', 'Deliveries', {
      select: (number) => this.toPlace(this.numbers.lastIndexOf(number)), chooseActor: () => undefined,
    });
    this.diagram.replaceChildren(this.view.root);
  }

  private stepOf(n: number): Step {
    const { step, crash, id } = this.tree.node(n);
    if (step) return step;
    const last = crash?.last ?? { id, message: id, receiver: 'driver', state: '', choices: [], sends: [], creates: [], destroys: false, findings: [] };
    return { ...last, findings: [`${crash?.kind ?? 'crash'}: ${crash?.what ?? ''}`] };
  }

  private showTree(): void {
    const { size, states } = this.tree;
    this.count.textContent = `${plural(size - 1, 'delivery', 'deliveries')}, ${plural(states, 'state', 'states')}`;
    this.treeView.show(this.at);
  }

  private get place(): number {
    return this.tree.node(this.at).depth;
  }

  private toPlace(place: number): void {
    void this.go(this.line[Math.max(0, Math.min(this.line.length - 1, place))]!);
  }

  private move(by: number): void {
    this.toPlace(this.place + by);
  }

  // --- Saving

  private async save(finding: number): Promise<void> {
    try {
      const text = await this.server.trace(this.tree.schedule(this.at), finding);
      const file = `${this.about.program.replaceAll(/[^A-Za-z0-9-]/g, '').replace(/^-+/, '').slice(0, 60) || 'trace'}.json`;
      const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
      h('a', { href: address, download: file }).click();
      setTimeout(() => URL.revokeObjectURL(address), 10_000);
      this.say(`Saved as ${file}: ${visible(this.about.replay)}${file}`);
    } catch (error) {
      this.say(error instanceof Error ? error.message : String(error));
    }
  }

  private say(text: string): void {
    this.status.textContent = text;
  }

  // --- Keys

  private take(index: number): void {
    const can: Pending[] = this.reached?.pending.filter((p) => p.can) ?? [];
    const chosen = can[index];
    if (chosen) void this.deliver(chosen);
    else this.say(`There is no message number ${index + 1} to deliver.`);
  }

  private get reached(): Reached | undefined {
    return this.answers.get(this.at)?.state;
  }

  private readonly actions: Record<string, () => void> = {
    ArrowDown: () => this.move(1), j: () => this.move(1), ArrowUp: () => this.move(-1), k: () => this.move(-1), Backspace: () => this.move(-1),
    Home: () => this.toPlace(0), g: () => this.toPlace(0), End: () => this.toPlace(Infinity), G: () => this.toPlace(Infinity),
    s: () => void this.save(0), e: () => this.searching.focus(), t: () => this.treeView.list.focus(), '?': () => this.help.showModal(),
  };

  private press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || this.help.open) return;
    const at = event.target instanceof Element ? event.target : null;
    if (at?.matches('input, select')) return;
    const action = /^[1-9]$/.test(event.key) ? () => this.take(Number(event.key) - 1) : this.actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }
}
