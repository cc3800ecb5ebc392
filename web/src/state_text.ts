// States as harrier prints them, taken apart: `{value=5, at={x=1}}`.

export interface Field {
  name: string;
  value: string;
}

const opening = '{[(';
const closing = '}])';

/** Where the quoted text that begins at `at` ends. */
function endOfQuoted(text: string, at: number): number {
  const quote = text[at];
  let i = at + 1;
  while (i < text.length && text[i] !== quote) i += text[i] === '\\' ? 2 : 1;
  return i;
}

/** The parts between commas that are in no brackets and no quotes. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let i = 0; i < text.length; ++i) {
    const c = text[i]!;
    if (c === '"' || (c === "'" && !/\w/.test(text[i - 1] ?? ''))) i = endOfQuoted(text, i);
    else if (opening.includes(c)) ++depth;
    else if (closing.includes(c)) --depth;
    else if (c === ',' && depth === 0) {
      parts.push(text.slice(from, i).trim());
      from = i + 1;
    }
  }
  parts.push(text.slice(from).trim());
  return parts;
}

/** The fields of a state; undefined if it is not printed as an object. */
export function fieldsOf(state: string): Field[] | undefined {
  if (!state.startsWith('{') || !state.endsWith('}')) return undefined;
  const inner = state.slice(1, -1).trim();
  if (inner === '') return [];
  const fields = partsOf(inner).map((part) => {
    const found = /^([A-Za-z_]\w*)=/.exec(part);
    return found && { name: found[1]!, value: part.slice(found[0].length) };
  });
  return fields.every((f): f is Field => f !== null) ? fields : undefined;
}

export interface Change {
  name: string;
  /** Undefined: there was none, or it was not known. */
  before: string | undefined;
  after: string;
  changed: boolean;
}

/** What a step did to a state, field by field; a state that is no object is one field without a name. */
export function changesOf(before: string | undefined, after: string): Change[] {
  const now = fieldsOf(after);
  const was = before === undefined ? undefined : fieldsOf(before);
  if (!now) return [{ name: '', before, after, changed: before !== undefined && before !== after }];
  const old = new Map(was?.map((f) => [f.name, f.value]));
  return now.map((f) => ({
    name: f.name, before: old.get(f.name), after: f.value, changed: was !== undefined && old.get(f.name) !== f.value,
  }));
}
