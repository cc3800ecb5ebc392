// What is said of a step: in its row, to a screen reader, and on paper.
import { brief, named } from './dom';
import { changesOf } from './state_text';
import { beginning, type Message, type Trace, type TracedStep } from './trace';

export const plural = (n: number, one: string, many: string) => `${n.toLocaleString('en')} ${n === 1 ? one : many}`;

export const taken = (step: TracedStep) => (step.label === undefined ? `${named(step.receiver)}.${brief(step.message)}` : brief(step.label));

export function sender(m: Message): string {
  if (m.kind === 'own') return 'itself';
  if (m.kind === 'timer') return m.sentAt === beginning ? 'a timer of its own' : `a timer of its own, set in step ${m.sentAt}`;
  return m.sentAt === beginning ? `${named(m.from)}, before the first step` : `${named(m.from)} in step ${m.sentAt}`;
}

/** What happened in the step beside that it took a message, in a few words each. */
export function remarksOf(step: TracedStep): { kind: 'failed' | 'fault' | 'draws' | 'creates' | 'gone'; text: string }[] {
  return [
    ...step.findings.map((f) => ({ kind: 'failed' as const, text: brief(f) })),
    ...(step.faults ?? []).map((f) => ({ kind: 'fault' as const, text: brief(f) })),
    ...(step.choices.length > 0 ? [{ kind: 'draws' as const, text: `draws ${step.choices.join(', ')}` }] : []),
    ...(step.creates.length > 0 ? [{ kind: 'creates' as const, text: `creates ${brief(step.creates.map((name) => named(name)).join(', '), 60)}` }] : []),
    ...(step.destroys ? [{ kind: 'gone' as const, text: 'is gone afterwards' }] : []),
  ];
}

export function changeInWords(trace: Trace, step: TracedStep): string {
  const changed = changesOf(trace.stateBefore(step.number), step.state).filter((c) => c.changed);
  if (changed.length === 0) return '';
  return changed.map((c) => `${c.name || 'state'} ${c.before === undefined ? '' : `${brief(c.before, 40)} → `}${brief(c.after, 40)}`).join(', ');
}

/** What a row does not show, but what who cannot see the diagram must hear. */
export function unseen(trace: Trace, number: number, remark: string | undefined): string {
  const step = trace.step(number);
  if (!step) return `before the first of ${plural(trace.length, 'step', 'steps')}`;
  const change = changeInWords(trace, step);
  return [remark, `from ${sender(step.takes)}`, change && `changes ${change}`, step.sent.length > 0 && `sends ${plural(step.sent.length, 'message', 'messages')}`]
    .filter(Boolean).join('; ');
}

export function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
