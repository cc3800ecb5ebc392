// What the page asks of the harrier that serves it, and what that answers: see src/cli/web/jobs.hpp.
import type { FindingHead, Step } from '../story';

/** A delivery as it is asked for. */
export interface Asked {
  id: string;
  code: number;
}

export interface CodedStep extends Step {
  code: number;
}

export interface Pending {
  id: string;
  message: string;
  receiver: string;
  sender: string;
  kind: 'message' | 'reply' | 'timer' | 'arrival' | 'event' | 'stage';
  can: boolean;
  /** Why it cannot be delivered. */
  why?: string;
}

export interface Found extends Omit<FindingHead, 'occurrences'> {
  warning: boolean;
}

export interface Reached {
  actors: { name: string; state: string; mode: string }[];
  pending: Pending[];
  /** How the execution ends here; null: it does not. */
  end: string | null;
  findings: Found[];
  /** Equal for equal configurations. */
  same: string;
}

export interface Outcome {
  code: number;
  choices: number[];
  faults?: string[];
  state: string;
}

export interface Crash {
  step: number;
  what: string;
  kind: string;
  in_handler: boolean;
  last: Step | null;
}

export interface Visit {
  steps: CodedStep[];
  state?: Reached;
  outcomes?: Outcome[];
  more_outcomes?: boolean;
  outcomes_failed?: string;
  impossible?: { step: number; why: string };
  crashed?: Crash;
}

export interface FoundBySearch extends Found {
  at: Asked[];
}

export interface SearchLine {
  progress?: { executions: number; deliveries: number; findings: number; seconds: number };
  found?: { engine: string; exhausted: boolean; summary: string; notes: string[]; findings: FoundBySearch[] };
  error?: string;
}

export interface NodeLine {
  parent: number;
  id: string;
  code?: number;
  receiver: string;
  message: string;
  same: string;
  choices?: number[];
  faults?: string[];
  found?: string[];
}

export interface VisitLine {
  nodes?: NodeLine[];
  visited?: number;
  complete?: boolean;
  crashed?: { what: string; after: number };
  impossible?: { step: number; why: string };
  error?: string;
}

const gone = 'harrier does not answer. It was ended, perhaps: start it again, and open the address that it prints.';

export class Server {
  constructor(private readonly token: string) {}

  async visit(schedule: Asked[], from: number): Promise<Visit> {
    return JSON.parse(await (await this.ask('visit', { schedule, from })).text()) as Visit;
  }

  /** The text of a trace file. */
  async trace(schedule: Asked[], finding: number): Promise<string> {
    return (JSON.parse(await (await this.ask('trace', { schedule, finding })).text()) as { trace: string }).trace;
  }

  search(schedule: Asked[], options: Record<string, string>, hear: (line: SearchLine) => void, end: AbortSignal): Promise<void> {
    return this.lines('search', { schedule, options }, hear, end);
  }

  visitAll(schedule: Asked[], depth: number, most: number, hear: (line: VisitLine) => void, end: AbortSignal): Promise<void> {
    return this.lines('visit-all', { schedule, depth, most }, hear, end);
  }

  private async lines<L>(what: string, body: object, hear: (line: L) => void, end: AbortSignal): Promise<void> {
    const reader = (await this.ask(what, body, end)).body!.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const lines = (rest + value).split('\n');
      rest = lines.pop()!;
      for (const line of lines) hear(JSON.parse(line) as L);
    }
  }

  /** @throws Error  in words for people. */
  private async ask(what: string, body: object, signal?: AbortSignal): Promise<Response> {
    const asked = fetch(`/api/${what}`, {
      method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json', 'X-Harrier-Token': this.token },
      ...(signal && { signal }),
    });
    const answer = await asked.catch((error: unknown) => {
      throw signal?.aborted ? error : new Error(gone);
    });
    if (answer.ok) return answer;
    const text = await answer.text();
    let why = text;
    try {
      why = (JSON.parse(text) as { error: string }).error;
    } catch { /* it is no JSON: then it is the sentence itself */ }
    throw new Error(why);
  }
}
