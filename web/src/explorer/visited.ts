// The tree of what was visited. Pure: it knows no server and no page.
import type { Step } from '../story';
import type { Asked, Crash } from './server';

export const root = 0;

export interface VisitedNode {
  parent: number;
  id: string;
  code: number;
  receiver: string;
  message: string;
  depth: number;
  children: number[];
  /** What it did; undefined: it was not asked yet, or it ended the process. */
  step?: Step;
  crash?: Crash;
  found: string[];
  /** What it drew, and what befell somebody, in words. */
  drawn: string;
  /** Equal for equal configurations. */
  same?: string;
}

const made = (parent: number, depth: number, id: string, code: number, receiver: string, message: string): VisitedNode =>
  ({ parent, id, code, receiver, message, depth, children: [], found: [], drawn: '' });

export class Visited {
  readonly nodes: VisitedNode[] = [made(-1, 0, '', 0, '', '')];
  private readonly firstWith = new Map<string, number>();

  get size(): number {
    return this.nodes.length;
  }

  node(n: number): VisitedNode {
    return this.nodes[n]!;
  }

  /** The delivery of `id` after node `parent`, with these draws; undefined: it was not tried. */
  child(parent: number, id: string, code: number): number | undefined {
    return this.node(parent).children.find((c) => this.node(c).id === id && this.node(c).code === code);
  }

  /** That node, made if there is none. */
  add(parent: number, id: string, code: number, receiver: string, message: string): number {
    const there = this.child(parent, id, code);
    if (there !== undefined) return there;
    const above = this.node(parent);
    this.nodes.push(made(parent, above.depth + 1, id, code, receiver, message));
    above.children.push(this.size - 1);
    return this.size - 1;
  }

  /** A node that turned out not to be possible, and those before it that are known only because of it. */
  forget(n: number): void {
    for (let at = n; at !== root; at = this.node(at).parent) {
      const { step, crash, children, parent } = this.node(at);
      if (step || crash || children.length > 0) return;
      const siblings = this.node(parent).children;
      siblings.splice(siblings.indexOf(at), 1);
    }
  }

  addStep(parent: number, step: Step, code: number): number {
    const n = this.add(parent, step.id, code, step.receiver, step.message);
    const node = this.node(n);
    node.step = step;
    node.drawn = drawnInWords(step.choices, step.faults);
    node.found = [...step.findings, ...node.found.filter((f) => !step.findings.includes(f))];
    return n;
  }

  addCrash(parent: number, crash: Crash, asked: Asked): number {
    const n = this.add(parent, asked.id, asked.code, crash.last?.receiver ?? '', crash.last?.message ?? asked.id);
    const node = this.node(n);
    node.crash = crash;
    node.found = [`${crash.kind}: ${crash.what}`];
    return n;
  }

  /** Notes which configuration it is. */
  know(n: number, same: string): void {
    this.node(n).same = same;
    if (!this.firstWith.has(same)) this.firstWith.set(same, n);
  }

  /** The node at which the same configuration was reached first; undefined: it is this one, or not known. */
  reachedBefore(n: number): number | undefined {
    const { same } = this.node(n);
    const first = same === undefined ? undefined : this.firstWith.get(same);
    return first === n ? undefined : first;
  }

  get states(): number {
    return this.firstWith.size;
  }

  /** From the root, which is the first, to the node. */
  path(n: number): number[] {
    const path: number[] = [];
    for (let at = n; at !== -1; at = this.node(at).parent) path.push(at);
    return path.reverse();
  }

  schedule(n: number): Asked[] {
    return this.path(n).slice(1).map((at) => ({ id: this.node(at).id, code: this.node(at).code }));
  }
}

export function drawnInWords(choices: readonly number[] = [], faults: readonly string[] = []): string {
  return [choices.length > 0 && `draws ${choices.join(', ')}`, ...faults].filter(Boolean).join('; ');
}

/** `1.1,0.2:3`: what stands in the address of the page, so that it is there again when it is loaded anew. */
export function scheduleInWords(schedule: readonly Asked[]): string {
  return schedule.map(({ id, code }) => (code === 0 ? id : `${id}:${code}`)).join(',');
}

/** The other way round; what is no schedule is none. */
export function scheduleFrom(words: string): Asked[] {
  const all = words === '' ? [] : words.split(',').map((word) => /^(start|-?\d+\.\d+)(?::(\d+))?$/.exec(word));
  if (all.some((found) => found === null)) return [];
  return all.map((found) => ({ id: found![1]!, code: Number(found![2] ?? 0) }));
}

/** The rows in which a tree is shown: only a choice between several is further in. */
export interface TreeRow {
  node: number;
  indent: number;
}

export function rowsOf(tree: Visited, closed: ReadonlySet<number>): TreeRow[] {
  const rows: TreeRow[] = [];
  const open: TreeRow[] = [{ node: root, indent: 0 }];
  for (let row = open.pop(); row !== undefined; row = open.pop()) {
    rows.push(row);
    const { children } = tree.node(row.node);
    if (closed.has(row.node)) continue;
    const indent = row.indent + (children.length > 1 ? 1 : 0);
    for (let i = children.length - 1; i >= 0; --i) open.push({ node: children[i]!, indent });
  }
  return rows;
}
