// What harrier writes into the page: see include/harrier/web/page.hpp.

export interface Send {
  message: string;
  receiver: string;
}

/** A delivery, as a trace file has it. */
export interface Step {
  id: string;
  message: string;
  receiver: string;
  state: string;
  event?: string;
  choices: number[];
  sends: Send[];
  faults?: string[];
  creates: string[];
  destroys: boolean;
  findings: string[];
  machinery?: boolean;
  /** Not in traces. How the step is called, if not by what its receiver takes. */
  label?: string;
  /** Not in traces. The receiver takes nothing: it acts by itself. */
  own?: boolean;
  /** Not in traces. Where the handler stands that takes it: `bank.cpp:42`. */
  source?: string;
}

export interface FindingHead {
  kind: string;
  message: string;
  actor: string;
  file: string;
  line: number;
  details: string[];
  occurrences: number;
}

/** A trace file, as `harrier replay` reads it. Its other fields are kept as they are. */
export interface TraceFile {
  program: string;
  parameters: Record<string, unknown>;
  engine: string;
  delivery: string;
  finding: FindingHead;
  /** Why the finding comes about, if that was found out. */
  why?: { sentence: string };
  steps: Step[];
}

/** An order in which the finding does not happen. */
export interface OtherOrder {
  about: string;
  steps: Step[];
}

/** Where the handlers of steps stand, in their order; '': not known. Written beside the steps. */
type Sources = { sources?: string[] };

export interface ToldFinding {
  trace: TraceFile;
  /** The trace file as harrier wrote it. */
  text: string;
  shortest: boolean;
  warning: boolean;
  /** What its source file is called where the page was written; '': as in the trace. */
  source: string;
  /** The command that runs it again. */
  replay: string;
  /** The file that the command reads. */
  file: string;
  /** Whether harrier wrote that file. */
  saved: boolean;
  other: OtherOrder | null;
}

export interface Story {
  format: 'harrier-report';
  version: 1;
  program: string;
  parameters: Record<string, unknown>;
  /** What the search came to, a line each; empty for a replay. */
  summary: string[];
  verdict: 'passed' | 'found' | 'open';
  notes: string[];
  findings: ToldFinding[];
}

/** The trace with its source file by another name, wherever it says where something was found. */
function fromHere(trace: TraceFile, source: string): TraceFile {
  const { file } = trace.finding;
  if (source === '' || file === '') return trace;
  const renamed = (text: string) => text.replaceAll(` (${file}:`, () => ` (${source}:`);
  return {
    ...trace, finding: { ...trace.finding, file: source },
    steps: trace.steps.map((step) => (step.findings.length === 0 ? step : { ...step, findings: step.findings.map(renamed) })),
  };
}

function withSources(steps: Step[], { sources }: Sources): Step[] {
  return steps.map((step, i) => (sources?.[i] ? { ...step, source: sources[i] } : step));
}

/** @throws Error  it is not a story of this version. */
export function storyFrom(text: string): Story {
  type Written = Omit<ToldFinding, 'trace' | 'text' | 'other'> & Sources & { trace: string; other: (OtherOrder & Sources) | null };
  const story = JSON.parse(text) as Omit<Story, 'findings'> & { findings: Written[] };
  if (story.format !== 'harrier-report' || story.version !== 1) throw new Error('this page has no story that it can tell');
  const read = (f: Written): ToldFinding => {
    const trace = fromHere(JSON.parse(f.trace) as TraceFile, f.source);
    const other = f.other && { ...f.other, steps: withSources(f.other.steps, f.other) };
    return { ...f, trace: { ...trace, steps: withSources(trace.steps, f) }, text: f.trace, other };
  };
  return { ...story, findings: story.findings.map(read) };
}
