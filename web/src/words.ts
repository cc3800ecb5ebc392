// What is said of a step: in its row, to a screen reader, and on paper.
import { brief } from './dom';
import { changesOf } from './state_text';
import { beginning, type Message, type Trace, type TracedStep } from './trace';

export const taken = (step: TracedStep) => `${brief(step.receiver, 60)}.${brief(step.message)}`;

export function sender(m: Message): string {
  if (m.kind === 'timer') return m.sentAt === beginning ? 'a timer of its own' : `a timer of its own, set in step ${m.sentAt}`;
  return m.sentAt === beginning ? `${brief(m.from, 60)}, before the first step` : `${brief(m.from, 60)} in step ${m.sentAt}`;
}

/** What happened in the step beside that it took a message, in a few words each. */
export function remarksOf(step: TracedStep): { kind: 'failed' | 'fault' | 'draws' | 'creates' | 'gone'; text: string }[] {
  return [
    ...step.findings.map((f) => ({ kind: 'failed' as const, text: brief(f) })),
    ...(step.faults ?? []).map((f) => ({ kind: 'fault' as const, text: brief(f) })),
    ...(step.choices.length > 0 ? [{ kind: 'draws' as const, text: `draws ${step.choices.join(', ')}` }] : []),
    ...(step.creates.length > 0 ? [{ kind: 'creates' as const, text: `creates ${brief(step.creates.join(', '), 60)}` }] : []),
    ...(step.destroys ? [{ kind: 'gone' as const, text: 'is gone afterwards' }] : []),
  ];
}

export function changeInWords(trace: Trace, step: TracedStep): string {
  const changed = changesOf(trace.stateBefore(step.number), step.state).filter((c) => c.changed);
  if (changed.length === 0) return '';
  return changed.map((c) => `${c.name || 'state'} ${c.before === undefined ? '' : `${brief(c.before, 40)} → `}${brief(c.after, 40)}`).join(', ');
}

/** All of it in one sentence. */
export function spoken(trace: Trace, number: number): string {
  const step = trace.step(number);
  if (!step) return `The beginning, before the first of ${trace.length} steps`;
  const change = changeInWords(trace, step);
  return [`Step ${number} of ${trace.length}: ${taken(step)} from ${sender(step.takes)}`, ...remarksOf(step).map((r) => r.text),
    change && `changes ${change}`, step.sent.length > 0 && `sends ${step.sent.length}`].filter(Boolean).join('; ');
}
