// The page: one finding at a time, in one order or in two, and what its reader does with it.
import { Detail } from './detail';
import { brief, h, long, named, some, svg, visible } from './dom';
import { helpDialog } from './help';
import { OrderView, type Remark } from './order_view';
import { onPaper } from './paper';
import type { Story, ToldFinding } from './story';
import { isOfAProtocol, repeatsFrom, stepsToShow } from './protocol';
import { beginning, compare, Trace } from './trace';
import { capitalised, plural } from './words';

/** Drawn, since few fonts have all of these. */
const icons = {
  first: 'M3 2v10M12 2v10L5 7z', back: 'M11 2v10L3 7z', on: 'M3 2v10L11 7z', last: 'M11 2v10M2 2v10L9 7z', flag: 'M3 13V2h8L8.5 5 11 8H3',
};

const icon = (name: keyof typeof icons) =>
  svg('svg', { class: 'icon', width: 14, height: 14, viewBox: '0 0 14 14', 'aria-hidden': 'true' }, svg('path', { d: icons[name] }));

interface Order {
  trace: Trace;
  view: OrderView;
  detail: Detail;
  name: string;
}

export class ReportPage {
  private orders: Order[] = [];
  private active = 0;
  private told: ToldFinding | undefined;
  private actors = new Set<string>();
  private matches: number[] = [];
  private showsPast = true;

  private readonly status = h('div', { role: 'status', class: 'status' });
  private readonly heading = h('header', {});
  private readonly ordersBox = h('div', { class: 'orders' });
  private readonly detailBox = h('aside', { class: 'detail', tabindex: 0, 'aria-label': 'The selected step' });
  private readonly position = h('span', { class: 'position' });
  private readonly search = h('input', { type: 'search', placeholder: 'Search', 'aria-label': 'Search in messages, actors, states', input: () => this.find() });
  private readonly found = h('span', { class: 'found' });
  private readonly past = h('input', { type: 'checkbox', checked: true, change: () => this.togglePast() });
  private readonly filter = h('details', { class: 'filter' });
  private readonly help = helpDialog();
  private readonly paper = h('div', { class: 'paper' });
  private readonly toolbar: HTMLElement;

  constructor(private readonly story: Story, place: HTMLElement) {
    document.title = `${visible(story.program)}: harrier report`;
    this.toolbar = this.makeToolbar();
    place.append(this.heading, h('main', {}, this.toolbar, h('div', { class: 'panes' }, this.ordersBox, this.detailBox), this.paper), this.status, this.help);
    document.addEventListener('keydown', (event) => this.press(event));
    window.addEventListener('beforeprint', () => this.print());
    window.addEventListener('afterprint', () => this.paper.replaceChildren());
    this.show(0);
  }

  private makeToolbar(): HTMLElement {
    const button = (shown: keyof typeof icons | '?', label: string, click: () => void) =>
      h('button', { type: 'button', 'aria-label': label, title: label, click }, shown === '?' ? shown : icon(shown));
    return h('div', { class: 'toolbar', role: 'toolbar', 'aria-label': 'Steps' },
      button('first', 'To the beginning (Home)', () => this.select(beginning)), button('back', 'One step back (↑)', () => this.move(-1)),
      this.position, button('on', 'Next step (↓)', () => this.move(1)), button('last', 'To the last step (End)', () => this.select(Infinity)),
      button('flag', 'Next failure or fault (f)', () => this.toNextMark()), button('?', 'Keys and signs (?)', () => this.openHelp()),
      this.search, this.found, this.filter, h('label', {}, this.past, ' causal past'));
  }

  // --- What is shown

  private show(index: number): void {
    this.told = this.story.findings[index];
    this.actors.clear();
    this.matches = [];
    this.active = 0;
    this.showHeading(index);
    const isThere = this.told !== undefined && this.told.trace.steps.length > 0;
    this.toolbar.hidden = !isThere;
    this.ordersBox.replaceChildren();
    this.detailBox.hidden = !isThere;
    this.orders = isThere ? this.makeOrders(this.told!) : [];
    document.body.classList.toggle('two', this.orders.length > 1);
    document.body.classList.toggle('nothing', !isThere);
    if (!isThere) return;
    for (const { view, name } of this.orders)
      this.ordersBox.append(h('div', { class: 'column' }, this.orders.length > 1 && h('h2', { class: 'column-title' }, name), view.root));
    this.makeFilter();
    this.find();
    const { trace, view } = this.orders[0]!;
    this.select(trace.steps.find((s) => s.findings.length > 0)?.number ?? trace.length);
    view.list.focus({ preventScroll: true });
  }

  private makeOrders(told: ToldFinding): Order[] {
    const failing = new Trace(stepsToShow(told.trace, told.trace.steps));
    const repeated = repeatsFrom(told.trace);
    const isInAStep = failing.steps.some((s) => s.findings.length > 0);
    const about = (n: number): Remark | undefined => {
      if (n !== beginning && n === repeated) return { text: 'again and again', more: 'from here on the same comes again and again' };
      return n === failing.length && !isInAStep && repeated === undefined ? { text: 'found after it', more: 'what was found is found at the end, after this step' } : undefined;
    };
    const made = (trace: Trace, index: number, name: string, remark?: (number: number) => Remark | undefined): Order => ({
      trace, name,
      view: new OrderView(trace, `order${index}`, `${name}: steps`, {
        select: (n) => { this.active = index; this.select(n); }, chooseActor: (actor) => this.chooseOnly(actor),
      }, remark),
      detail: new Detail(trace, { select: (n) => this.select(n) }),
    });
    if (!told.other) return [made(failing, 0, 'The order that leads to it', about)];
    const passing = new Trace(stepsToShow(told.trace, told.other.steps));
    const forward = compare(failing, passing);
    const backward = compare(passing, failing);
    const remark = (c: typeof forward) => (n: number): Remark | undefined => {
      const is = n === beginning || c.same[n - 1] === 'same' ? '' : c.same[n - 1] === 'differs' ? 'another outcome' : 'only here';
      if (n !== beginning && n === c.parting) return { text: 'parts here', more: ['here the orders part', is].filter(Boolean).join('; ') };
      return is === '' ? undefined : { text: is === 'only here' ? is : 'differs', more: is };
    };
    return [made(failing, 0, 'The order that fails', (n) => remark(forward)(n) ?? about(n)),
      made(passing, 1, capitalised(visible(told.other.about)) || 'An order that passes', remark(backward))];
  }

  private showHeading(index: number): void {
    const { program, parameters, findings, notes, summary, verdict } = this.story;
    const given = Object.entries(parameters).filter(([, value]) => String(value) !== '').map(([name, value]) => ` ${brief(name, 60)}=${brief(String(value), 80)}`).join('');
    const parts: Node[] = [h('p', { class: 'program' }, h('b', {}, brief(program)), given)];
    if (findings.length > 1) parts.push(this.chooser(index));
    if (this.told) parts.push(...this.aboutFinding(this.told));
    else parts.push(h('h1', { class: `verdict ${verdict}` }, summary[0] ? brief(summary[0], 1000) : 'There is nothing to show.'));
    const rest = [...summary.slice(this.told ? 0 : 1), ...notes.map((n) => `Note: ${n}`)];
    if (rest.length > 0)
      parts.push(h('details', { open: !this.told }, h('summary', {}, 'About the search'), h('ul', {}, ...some(rest, 50, (line) => h('li', {}, long(line))))));
    this.heading.replaceChildren(...parts);
  }

  private chooser(index: number): HTMLElement {
    const choices = this.story.findings.map((f, i) => h('option', { value: i, selected: i === index },
      `${i + 1} of ${this.story.findings.length}: ${f.warning ? 'warning, ' : ''}${f.trace.finding.kind}: ${brief(f.trace.finding.message, 80)}`));
    const select = h('select', { 'aria-label': 'Finding', change: () => this.show(Number(select.value)) }, ...choices);
    return h('p', {}, select);
  }

  private aboutFinding(told: ToldFinding): Node[] {
    const { kind, message, actor, file, line, details, occurrences } = told.trace.finding;
    const { why } = told.trace;
    const steps = told.trace.steps.filter((s) => !s.machinery || s.findings.length > 0).length;
    const where = [actor && `in ${brief(actor, 80)}`, file && `${brief(file, 200)}:${line}`,
      `${isOfAProtocol(told.trace) ? plural(steps, 'step leads', 'steps lead') : plural(steps, 'delivery leads', 'deliveries lead')} to it${told.shortest ? ', and no fewer' : ''}`,
      occurrences > 1 && `seen in ${plural(occurrences, 'execution', 'executions')}`].filter(Boolean).join(' · ');
    return [
      h('h1', {}, h('span', { class: `kind${told.warning ? ' warning' : ''}` }, told.warning ? `warning: ${kind}` : kind), ' ', long(message)),
      h('p', { class: 'where' }, where),
      ...(why ? [h('p', { class: 'because' }, h('strong', {}, 'Why: '), long(why.sentence))] : []),
      ...(details.length > 0 ? [h('details', { class: 'why', open: details.length < 5 }, h('summary', {}, 'Details'), h('ul', {}, ...some(details, 50, (d) => h('li', {}, long(d)))))] : []),
      this.replayLine(told),
    ];
  }

  private replayLine(told: ToldFinding): HTMLElement {
    const copy = h('button', { type: 'button', click: () => void this.copy(told.replay) }, 'Copy');
    const save = h('button', { type: 'button', click: () => this.save(told) }, 'Save trace');
    const file = brief(told.file, 200);
    return h('p', { class: 'replay' }, h('code', {}, visible(told.replay)), copy, save,
      h('span', { class: 'muted' }, told.saved ? '' : ` Save the trace as ${file}, then this replays it.`));
  }

  private async copy(text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.say('Copied.');
    } catch {
      this.say('The browser does not let this page copy; select the command instead.');
    }
  }

  private save(told: ToldFinding): void {
    const address = URL.createObjectURL(new Blob([told.text], { type: 'application/json' }));
    h('a', { href: address, download: told.file.split('/').pop() ?? 'trace.json' }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }

  private say(text: string): void {
    this.status.textContent = text;
  }

  // --- Steps

  private get order(): Order {
    return this.orders[this.active]!;
  }

  private select(number: number): void {
    const { trace, view } = this.order;
    const to = Math.max(beginning, Math.min(trace.length, number));
    if (!view.isShown(to)) {
      this.chooseActors(new Set());
      this.say('All actors are shown again.');
    }
    view.select(to);
    const other = this.orders[1 - this.active];
    if (other) this.follow(to, other);
    this.position.textContent = `${to} / ${trace.length}`;
    const there = other && { name: other.name.toLowerCase(), step: other.trace.step(other.trace.ofEvent(trace.step(to)?.event) ?? 0) };
    this.detailBox.replaceChildren(...this.order.detail.of(to, this.actors, there));
    this.detailBox.scrollTop = 0;
  }

  /** The other order shows the same step, or the last of those before it that it has. */
  private follow(number: number, other: Order): void {
    let n = number;
    while (n > beginning && other.trace.ofEvent(this.order.trace.step(n)?.event) === undefined) --n;
    const there = n === beginning ? beginning : other.trace.ofEvent(this.order.trace.step(n)?.event)!;
    other.view.select(other.view.isShown(there) ? there : beginning);
  }

  private move(by: number): void {
    this.select(this.order.view.moved(by));
  }

  private toNextMark(): void {
    const { trace, view } = this.order;
    const marked = trace.steps.filter((s) => s.findings.length > 0 || (s.faults?.length ?? 0) > 0).map((s) => s.number);
    const next = marked.find((n) => n > view.selected) ?? marked[0];
    if (next === undefined) this.say('No step has a failure or a fault of its own.');
    else this.select(next);
  }

  private toCause(): void {
    const step = this.order.trace.step(this.order.view.selected);
    if (step) this.select(step.takes.sentAt);
  }

  private toEffect(): void {
    const { trace, view } = this.order;
    const taken = trace.messages.filter((m) => m.sentAt === view.selected && m.takenAt !== Infinity).map((m) => m.takenAt);
    if (taken.length > 0) this.select(taken.reduce((a, b) => Math.min(a, b)));
    else this.say('No step takes what this one sends.');
  }

  private toTurn(next: boolean): void {
    const { trace, view } = this.order;
    const actor = trace.step(view.selected)?.receiver;
    if (actor === undefined) return;
    const to = next ? trace.nextTurn(actor, view.selected) : trace.lastTurn(actor, view.selected - 1);
    if (to !== beginning) this.select(to);
    else this.say(`${named(actor)} takes no ${next ? 'later' : 'earlier'} step.`);
  }

  private toOtherOrder(): void {
    if (this.orders.length < 2) return;
    this.active = 1 - this.active;
    this.order.view.list.focus({ preventScroll: true });
    this.select(this.order.view.selected);
    this.say(this.order.name);
  }

  private togglePast(): void {
    this.showsPast = !this.showsPast;
    this.past.checked = this.showsPast;
    for (const { view } of this.orders) view.showPast(this.showsPast);
  }

  // --- Search and filter

  private find(): void {
    const wanted = this.search.value.toLowerCase();
    const has = (text: string) => text.toLowerCase().includes(wanted);
    for (const { trace, view } of this.orders) {
      const all = wanted === '' ? [] : trace.steps.filter((s) => has(`${s.receiver}.${s.message}`) || has(s.state) || s.sent.some((m) => has(m.text)) ||
        s.findings.some(has) || (s.faults ?? []).some(has) || s.creates.some(has)).map((s) => s.number);
      if (view === this.order.view) this.matches = all;
      view.showMatches(new Set(all));
    }
    this.found.textContent = wanted === '' ? '' : this.matches.length === 0 ? 'nothing' : plural(this.matches.length, 'step', 'steps');
    this.say(wanted === '' ? '' : `${plural(this.matches.length, 'step matches', 'steps match')}`);
  }

  private toMatch(forward: boolean): void {
    const at = this.order.view.selected;
    const next = forward ? (this.matches.find((n) => n > at) ?? this.matches[0]) : (this.matches.filter((n) => n < at).at(-1) ?? this.matches.at(-1));
    if (next === undefined) return this.say('Nothing matches.');
    this.select(next);
    this.say(`Match ${this.matches.indexOf(next) + 1} of ${this.matches.length}`);
  }

  private makeFilter(): void {
    const all = [...new Set(this.orders.flatMap(({ trace }) => trace.actors))];
    const list = h('div', { class: 'choices' });
    const fill = () => {
      const wanted = names.value.toLowerCase();
      const fitting = all.filter((a) => a.toLowerCase().includes(wanted));
      list.replaceChildren(...fitting.slice(0, 200).map((name) => {
        const box = h('input', { type: 'checkbox', checked: this.actors.has(name), change: () => this.toggleActor(name) });
        return h('label', {}, box, ` ${named(name)}`);
      }), fitting.length > 200 ? `and ${fitting.length - 200} more` : '');
    };
    const names = h('input', { type: 'search', placeholder: 'Name', 'aria-label': 'Actors with this in their names', input: fill });
    const everybody = h('button', { type: 'button', click: () => { this.chooseActors(new Set()); fill(); } }, 'Show all');
    this.filter.replaceChildren(h('summary', {}, 'Actors'), h('div', { class: 'popover' }, names, everybody, list));
    this.filter.ontoggle = fill;
    fill();
  }

  private toggleActor(name: string): void {
    const chosen = new Set(this.actors);
    if (!chosen.delete(name)) chosen.add(name);
    this.chooseActors(chosen);
  }

  private chooseOnly(name: string): void {
    this.chooseActors(this.actors.size === 1 && this.actors.has(name) ? new Set() : new Set([name]));
  }

  private chooseActors(chosen: Set<string>): void {
    this.actors = chosen;
    for (const { view } of this.orders) view.showActors(chosen);
    const { view } = this.order;
    this.filter.querySelector('summary')!.textContent = chosen.size === 0 ? 'Actors' : `Actors (${chosen.size})`;
    this.say(chosen.size === 0 ? 'All actors are shown.' : `${plural(view.shownSteps, 'step', 'steps')} of ${plural(chosen.size, 'actor', 'actors')} shown.`);
    if (!view.isShown(view.selected)) this.select(view.moved(0));
    else this.select(view.selected);
  }

  // --- Keys

  private readonly actions: Record<string, () => void> = {
    ArrowDown: () => this.move(1), j: () => this.move(1), ArrowUp: () => this.move(-1), k: () => this.move(-1),
    PageDown: () => this.move(10), PageUp: () => this.move(-10),
    Home: () => this.select(beginning), g: () => this.select(beginning), End: () => this.move(Infinity), G: () => this.move(Infinity),
    ArrowLeft: () => this.toCause(), ArrowRight: () => this.toEffect(), ']': () => this.toTurn(true), '[': () => this.toTurn(false),
    f: () => this.toNextMark(), '/': () => this.search.focus(), n: () => this.toMatch(true), N: () => this.toMatch(false),
    a: () => this.openFilter(), c: () => this.togglePast(), x: () => this.toOtherOrder(), Escape: () => this.escape(), '?': () => this.openHelp(),
  };

  private press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || this.help.open) return;
    const at = event.target instanceof Element ? event.target : null;
    const isWriting = at?.matches('input[type=search], select') ?? false;
    if (isWriting && event.key === 'Enter') return this.toMatch(!event.shiftKey);
    if (isWriting && event.key !== 'Escape') return;
    const scrolls = /^(Arrow|Page|Home|End)/.test(event.key);
    if (scrolls && at !== null && this.detailBox.contains(at)) return;
    if (event.key !== '?' && this.orders.length === 0) return;
    const action = this.actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  private openHelp(): void {
    this.help.showModal();
  }

  private openFilter(): void {
    this.filter.open = true;
    this.filter.querySelector<HTMLInputElement>('input')?.focus();
  }

  private escape(): void {
    if (this.filter.open) this.filter.open = false;
    else if (document.activeElement === this.search && this.search.value !== '') {
      this.search.value = '';
      this.find();
    } else if (this.actors.size > 0 && document.activeElement !== this.search) this.chooseActors(new Set());
    this.order.view.list.focus({ preventScroll: true });
  }

  private print(): void {
    const closed = [...this.heading.querySelectorAll<HTMLDetailsElement>('details:not([open])')];
    for (const details of closed) details.open = true;
    window.addEventListener('afterprint', () => closed.forEach((details) => (details.open = false)), { once: true });
    this.paper.replaceChildren(...this.orders.map(({ trace, name }) => onPaper(trace, name)));
  }
}
