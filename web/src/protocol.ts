// Traces of `harrier protocol`: what one session does, told as what its roles do.
import type { Step, TraceFile } from './story';

const action = /^(\S+) (SEND|RECV) (.+) (?:TO|FROM) (\S+)$/;

export const isOfAProtocol = (trace: TraceFile) => trace.program === 'harrier protocol';

/** The steps of a trace as they are shown: those of a protocol are taken by its roles, all others as they are. */
export function stepsToShow(trace: TraceFile, steps: readonly Step[]): readonly Step[] {
  if (!isOfAProtocol(trace)) return steps;
  const underway = new Map<string, number[]>();  // by type, sender and receiver: the deliveries that sent and are not received
  return steps.map((step, index) => {
    const found = action.exec(step.message);
    if (!found) return { ...step, sends: [], label: step.message, own: true };
    const [, role, what, type, peer] = found as unknown as [string, string, string, string, string];
    const shown = { ...step, receiver: role, label: step.message, sends: [] };
    if (what === 'SEND') {
      const key = `${type} ${role} ${peer}`;
      underway.set(key, [...(underway.get(key) ?? []), index]);
      return { ...shown, sends: [{ message: type, receiver: peer }], own: true };
    }
    const sent = underway.get(`${type} ${peer} ${role}`)?.shift();
    return sent === undefined ? { ...shown, own: true } : { ...shown, message: type, id: `${sent + 1}.0` };
  });
}

/** The step from which on a run of a protocol repeats itself; undefined: it does not. */
export function repeatsFrom(trace: TraceFile): number | undefined {
  const { end, prefix } = trace.parameters;
  return isOfAProtocol(trace) && end === 'cycle' ? Number(prefix) + 1 : undefined;
}
