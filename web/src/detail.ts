// What there is to know of the selected step.
import { h, long, named, some } from './dom';
import { changesOf, type Change } from './state_text';
import { beginning, type Message, type Trace, type TracedStep } from './trace';
import { sender, taken } from './words';

const mostShown = 100;

export interface DetailEvents {
  select(number: number): void;
}

/** What another order, shown beside this one, has to say of the step. */
export interface Elsewhere {
  name: string;
  step: TracedStep | undefined;
}

export class Detail {
  constructor(private readonly trace: Trace, private readonly events: DetailEvents) {}

  /** All of step `number`. `chosen`: only the states of these actors are shown; empty: of all. */
  of(number: number, chosen: ReadonlySet<string>, elsewhere?: Elsewhere): Node[] {
    const step = this.trace.step(number);
    const parts = step ? this.ofStep(step, elsewhere) : [h('h2', {}, 'The beginning'), h('p', {}, 'No step was taken yet.')];
    return [...parts, this.pending(number), this.states(number, chosen)];
  }

  private link(number: number, text = `step ${number}`): HTMLElement {
    if (number === beginning) return h('span', {}, 'before the first step');
    return h('button', { type: 'button', class: 'link', click: () => this.events.select(number) }, text);
  }

  private ofStep(step: TracedStep, elsewhere?: Elsewhere): Node[] {
    const parts: Node[] = [h('h2', {}, h('span', { class: 'muted' }, `${step.number}. `), taken(step))];
    for (const found of step.findings) parts.push(h('p', { class: 'failed' }, long(found)));
    for (const fault of step.faults ?? []) parts.push(h('p', { class: 'fault' }, long(fault)));
    parts.push(this.facts(step));
    parts.push(this.state(step));
    if (elsewhere) parts.push(this.inTheOther(step, elsewhere));
    if (step.sent.length > 0) parts.push(h('h3', {}, `Sends ${step.sent.length}`), h('ul', {}, ...some(step.sent, mostShown, (m) => this.sentLine(m))));
    if (step.creates.length > 0)
      parts.push(h('h3', {}, `Creates ${step.creates.length}`), h('ul', {}, ...some(step.creates, mostShown, (name) => h('li', {}, named(name, 160)))));
    return parts;
  }

  private facts(step: TracedStep): HTMLElement {
    const list = h('dl', {});
    const add = (name: string, ...what: (Node | string)[]) => list.append(h('dt', {}, name), h('dd', {}, ...what));
    if (step.takes.kind !== 'own') add('message', long(step.message));
    if (step.takes.kind === 'own') add('message', 'none: it acts by itself');
    else if (step.takes.sentAt === beginning) add('sent by', sender(step.takes));
    else add(step.takes.kind === 'timer' ? 'timer set' : 'sent by', `${step.takes.kind === 'timer' ? '' : `${named(step.takes.from)} `}in `, this.link(step.takes.sentAt));
    if (step.source) add('handler', h('code', {}, long(step.source)));
    if (step.choices.length > 0) add('draws', step.choices.join(', '));
    const past = this.trace.pastOf(step.number).reduce((sum, one) => sum + one, 0) - 2;  // without itself and the beginning
    add('causal past', past <= 0 ? 'nothing had to come before it' : `${past} of the ${step.number - 1} steps before it had to come first`);
    if (step.destroys) add('afterwards', `${named(step.receiver)} is gone`);
    return list;
  }

  private state(step: TracedStep): HTMLElement {
    const changes = changesOf(this.trace.stateBefore(step.number), step.state);
    const title = h('h3', {}, `State of ${named(step.receiver)}`);
    if (step.state === '') return h('section', {}, title, h('p', { class: 'muted' }, 'not known, or none'));
    const isFirst = this.trace.stateBefore(step.number) === undefined;
    if (changes.length === 0) return h('section', {}, title, h('p', { class: 'muted' }, 'it has no fields'));
    const note = isFirst ? 'after its first step' : changes.some((c) => c.changed) ? '' : 'unchanged';
    return h('section', {}, title, note && h('p', { class: 'muted' }, note), h('div', { class: 'scrolls' }, this.changeTable(changes)));
  }

  private changeTable(changes: Change[]): HTMLElement {
    const table = h('table', {}, h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'field'), h('th', { scope: 'col' }, 'before'), h('th', { scope: 'col' }, 'after'))));
    const body = h('tbody', {});
    for (const c of changes.slice(0, mostShown))
      body.append(h('tr', { class: c.changed ? 'changed' : '' }, h('th', { scope: 'row' }, c.name || 'state'),
        h('td', {}, c.changed && c.before !== undefined ? long(c.before) : ''), h('td', {}, long(c.after))));
    if (changes.length > mostShown) body.append(h('tr', {}, h('td', { colspan: 3 }, `${changes.length - mostShown} more fields`)));
    table.append(body);
    return table;
  }

  private inTheOther(step: TracedStep, { name, step: there }: Elsewhere): HTMLElement {
    const title = h('h3', {}, `In ${name}`);
    if (!there) return h('section', { class: 'elsewhere' }, title, h('p', {}, 'This delivery does not happen.'));
    const found = step.findings.length > 0 && there.findings.length === 0 ? ' Nothing is found in it.' : '';
    if (there.state === step.state) return h('section', { class: 'elsewhere' }, title, h('p', {}, `Step ${there.number}, with the same state after it.${found}`));
    return h('section', { class: 'elsewhere' }, title, h('p', {}, `Step ${there.number}, with another state after it: `, long(there.state)));
  }

  private sentLine(m: Message): HTMLElement {
    const what = [h('b', {}, named(m.to)), '.', long(m.text), m.kind === 'timer' ? ' by a timer' : ''];
    if (m.lost) return h('li', {}, ...what, h('span', { class: 'fault' }, ' is lost'));
    if (m.takenAt === Infinity) return h('li', {}, ...what, h('span', { class: 'muted' }, ', not taken in this trace'));
    return h('li', {}, ...what, ', taken in ', this.link(m.takenAt));
  }

  private pending(number: number): HTMLElement {
    const all = this.trace.pendingAt(number);
    const line = (m: Message) => h('li', {}, h('b', {}, named(m.to)), '.', long(m.text), m.kind === 'timer' ? ' by a timer' : '',
      h('span', { class: 'muted' }, ` from ${m.kind === 'timer' ? 'itself' : named(m.from)}`),
      m.takenAt === Infinity ? h('span', { class: 'muted' }, ', not taken in this trace') : ', taken in ', m.takenAt !== Infinity && this.link(m.takenAt));
    return h('section', { class: 'pending' }, h('h3', {}, `Pending after it: ${all.length}`),
      all.length > 0 ? h('ul', {}, ...some(all, mostShown, line)) : h('p', { class: 'muted' }, 'nothing that this trace knows of'));
  }

  private states(number: number, chosen: ReadonlySet<string>): HTMLElement {
    const actors = this.trace.actors.filter((a) => (chosen.size === 0 || chosen.has(a)) && this.trace.stateOf(a, number) !== undefined);
    const line = (name: string) => h('li', {}, h('b', {}, named(name)), ' ', this.trace.stateOf(name, number) ? long(this.trace.stateOf(name, number)!) : h('span', { class: 'muted' }, 'has no state that is known'),
      this.trace.lifeOf(name).to <= number && h('span', { class: 'muted' }, ' (gone)'));
    return h('section', {}, h('h3', {}, `Actors after it: ${actors.length}`),
      actors.length > 0 ? h('ul', {}, ...some(actors, mostShown, line)) : h('p', { class: 'muted' }, 'none has taken a step yet'));
  }
}

