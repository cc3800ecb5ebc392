// Where the explorer is: what can be done next, and what there is.
import { brief, h, long, named, some } from '../dom';
import { changesOf } from '../state_text';
import type { Step } from '../story';
import type { Found, Outcome, Pending, Reached, Visit } from './server';
import { drawnInWords, type Visited } from './visited';

const mostShown = 200;

export interface NowEvents {
  deliver(what: Pending): void;
  draw(code: number): void;
  save(finding: number): void;
}

const kindInWords: Record<Pending['kind'], string> = {
  message: '', reply: 'reply', timer: 'timer', arrival: 'arrives', event: 'event', stage: 'the driver goes on',
};

export type NameOf = (receiver: string, message: string, most: number) => string;

export class Now {
  readonly root = h('section', { class: 'now', 'aria-label': 'Where this is, and what can happen next' });

  constructor(private readonly tree: Visited, private readonly nameOf: NameOf, private readonly events: NowEvents) {}

  /** @param before  the states of the actors one step earlier, where they are known. */
  show(node: number, seen: Visit, before: Reached | undefined): void {
    const { crash, step } = this.tree.node(node);
    if (crash) return this.showCrash(node);
    const reached = seen.state!;
    const can = reached.pending.filter((p) => p.can);
    this.root.replaceChildren(
      ...reached.findings.map((f, i) => this.finding(f, i)),
      reached.end ? h('p', { class: 'end' }, reached.end) : '',
      ...this.draws(node, seen),
      h('h2', {}, can.length === 0 ? 'Nothing can be delivered' : `Can be delivered: ${can.length}`),
      h('ol', { class: 'choices-list' }, ...some(can, mostShown, (p) => this.choice(node, p, can.indexOf(p)))),
      ...this.waiting(reached.pending.filter((p) => !p.can)),
      ...this.actors(reached, before, step));
  }

  showNothing(why: string): void {
    this.root.replaceChildren(h('p', { class: 'failed', role: 'alert' }, why));
  }

  private showCrash(node: number): void {
    const { crash, depth, receiver, message } = this.tree.node(node);
    const what = crash!.in_handler ? `${this.nameOf(receiver, message, 160)} ${crash!.what}` : `what is done after it ${crash!.what}`;
    this.root.replaceChildren(
      h('p', { class: 'failed', role: 'alert' }, h('b', {}, `Step ${depth} ${crash!.kind === 'crash' ? 'crashed' : 'does not end'}: `), long(what)),
      h('p', {}, 'The program ran in a process of its own, so this page goes on: go back a step, and take another.'),
      crash!.in_handler ? h('button', { type: 'button', class: 'save', click: () => this.events.save(0) }, 'Save this as a trace') : '');
  }

  private finding(f: Found, index: number): HTMLElement {
    const where = f.file ? ` (${f.file}:${f.line})` : '';
    return h('div', { class: `found-here${f.warning ? ' warning' : ''}`, role: 'alert' },
      h('p', {}, h('b', {}, f.warning ? `warning: ${f.kind}` : f.kind), ': ', long(f.message + where)),
      f.details.length > 0 && h('ul', {}, ...some(f.details, 20, (d) => h('li', {}, long(d)))),
      h('button', { type: 'button', class: 'save', click: () => this.events.save(index) }, 'Save this as a trace'));
  }

  /** What else the last step could have drawn. */
  private draws(node: number, { outcomes, more_outcomes: more, outcomes_failed: failed }: Visit): Node[] {
    if (!outcomes && !failed) return [];
    const { code, parent, id } = this.tree.node(node);
    const name = (o: Outcome) => drawnInWords(o.choices, o.faults) || 'nothing happens to it';
    const line = (o: Outcome) => h('li', {}, h('button', {
      type: 'button', class: 'outcome', 'aria-pressed': String(o.code === code), click: () => this.events.draw(o.code),
    }, brief(name(o), 200), this.tree.child(parent, id, o.code) !== undefined && o.code !== code && h('span', { class: 'badge' }, 'visited')));
    return [h('h2', {}, `What this step draws: ${outcomes?.length ?? 0}${more ? ' or more' : ''} ways`), h('ol', { class: 'choices-list' }, ...some(outcomes ?? [], 50, line)),
      ...(failed ? [h('p', { class: 'failed' }, `One more way of it ${failed}.`)] : [])];
  }

  private choice(node: number, p: Pending, index: number): HTMLElement {
    const there = this.tree.child(node, p.id, 0);
    const found = there === undefined ? [] : this.tree.node(there).found;
    const kind = kindInWords[p.kind];
    return h('li', {}, h('button', { type: 'button', class: 'deliver', click: () => this.events.deliver(p) },
      index < 9 && h('kbd', { 'aria-hidden': 'true' }, String(index + 1)),
      h('span', { class: 'what' }, this.nameOf(p.receiver, p.message, 200)),
      h('span', { class: 'muted' }, this.origin(p)),
      kind && p.kind !== 'timer' && h('span', { class: 'badge' }, kind),
      found.length > 0 ? h('span', { class: 'badge failed' }, brief(found[0]!, 80)) : there !== undefined && h('span', { class: 'badge' }, 'visited')));
  }

  private origin(p: Pending): string {
    if (p.kind === 'timer') return 'a timer of its own';
    return p.sender === p.receiver ? 'from itself' : `from ${named(p.sender, 60)}`;
  }

  private waiting(pending: Pending[]): Node[] {
    if (pending.length === 0) return [];
    return [h('h2', {}, `Pending, but not deliverable now: ${pending.length}`), h('ul', {}, ...some(pending, 50, (p) =>
      h('li', {}, this.nameOf(p.receiver, p.message, 200), h('span', { class: 'muted' }, ` ${this.origin(p)}: ${brief(p.why ?? '', 200)}`))))];
  }

  private actors(reached: Reached, before: Reached | undefined, step: Step | undefined): Node[] {
    const old = new Map((before?.actors ?? []).map((a) => [a.name, a.state]));
    const row = ({ name, state, mode }: Reached['actors'][number]) => {
      const earlier = old.get(name);
      const changed = changesOf(earlier, state).filter((c) => c.changed && c.before !== undefined);
      const note = earlier === undefined || earlier === state ? [] : changed.map((c) => `${c.name || 'state'} was ${brief(c.before!, 60)}`);
      return h('tr', { class: name === step?.receiver ? 'changed' : '' }, h('th', { scope: 'row' }, named(name, 60)), h('td', {}, state === '' ? '' : long(state),
        mode && h('div', { class: 'muted' }, long(mode)), note.length > 0 && h('div', { class: 'muted' }, note.join(', '))));
    };
    const known = reached.actors.filter((a) => a.name !== 'driver' || a.mode !== '' || a.state !== '');
    return [h('h2', {}, `Actors: ${known.length}`), h('div', { class: 'scrolls' }, h('table', { class: 'actors' }, h('tbody', {}, ...known.slice(0, mostShown).map(row)))),
      ...(known.length > mostShown ? [h('p', { class: 'muted' }, `and ${known.length - mostShown} more`)] : [])];
  }
}

