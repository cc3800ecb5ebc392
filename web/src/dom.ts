// Elements, made without markup: whatever a program calls things, it is text here.

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | ((event: Event) => void)>;

/** An element. Attributes that are functions are listeners, `true` is an attribute without a value, `false` none. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  return furnish(document.createElement(tag), attributes, children);
}

export function svg(tag: string, attributes: Attributes = {}, ...children: Child[]): SVGElement {
  return furnish(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

function furnish<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value !== false) element.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of children) if (child) element.append(child);
  return element;
}

// What would show as nothing, or turn what stands beside it around.
const unseen = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;

/** The text with each character that cannot be seen as an escape of C++. */
export function visible(text: string): string {
  return text.replace(unseen, (c) => {
    const code = c.charCodeAt(0);
    if (c === '\n') return '\\n';
    if (c === '\t') return '\\t';
    return code < 256 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

/** At most `most` characters of it, visibly. */
export function brief(text: string, most = 160): string {
  return text.length <= most ? visible(text) : `${visible(text.slice(0, most))}… (${text.length.toLocaleString('en')} characters)`;
}

/** The name of an actor, at most `most` characters of it; there may be none. */
export const named = (name: string, most = 60) => (name === '' ? '(no name)' : brief(name, most));

const cutAt = 600;

/** All of a text, a long one not before it is asked for. */
export function long(text: string): HTMLElement {
  if (text.length <= cutAt) return h('code', {}, visible(text));
  const shown = h('code', {}, `${visible(text.slice(0, cutAt))}…`);
  const more = h('button', { type: 'button', class: 'link', click: () => {
    shown.textContent = visible(text);
    more.remove();
  } }, `all ${text.length.toLocaleString('en')} characters`);
  return h('span', {}, shown, ' ', more);
}

/** The first `most` of a list as elements, and a button for the rest. */
export function some<T>(all: readonly T[], most: number, made: (one: T) => Node): Node[] {
  const shown = all.slice(0, most).map(made);
  if (all.length <= most) return shown;
  const more = h('li', {}, h('button', { type: 'button', class: 'link', click: () => more.replaceWith(...all.slice(most).map(made)) },
    `${(all.length - most).toLocaleString('en')} more`));
  return [...shown, more];
}
