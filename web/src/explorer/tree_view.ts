// The tree of what was visited, of which only the rows that are seen exist.
import { brief, h } from '../dom';
import type { NameOf } from './now';
import { root, rowsOf, type TreeRow, type Visited } from './visited';

const rowHeight = 24;

export class TreeView {
  readonly list: HTMLElement;
  private rows: TreeRow[] = [];
  private rowOf = new Map<number, number>();
  private readonly closed = new Set<number>();
  private readonly sizer = h('div', { class: 'sizer' });
  private current = root;
  private focused = root;
  private drawsSoon = false;

  constructor(private readonly tree: Visited, private readonly nameOf: NameOf, private readonly go: (node: number) => void) {
    this.list = h('div', {
      class: 'tree', role: 'tree', tabindex: 0, 'aria-label': 'What was visited', scroll: () => this.drawSoon(),
      keydown: (event) => this.press(event as KeyboardEvent),
    }, this.sizer);
    new ResizeObserver(() => this.drawSoon()).observe(this.list);
  }

  /** The tree has grown, or another node is the current one. */
  show(current: number): void {
    this.current = current;
    this.focused = current;
    for (const n of this.tree.path(current).slice(0, -1)) this.closed.delete(n);
    this.makeRows();
    this.reveal(current);
    this.drawSoon();
  }

  private makeRows(): void {
    this.rows = rowsOf(this.tree, this.closed);
    this.rowOf = new Map(this.rows.map(({ node }, i) => [node, i]));
    this.sizer.style.height = `${this.rows.length * rowHeight}px`;
  }

  private reveal(node: number): void {
    const top = (this.rowOf.get(node) ?? 0) * rowHeight;
    const height = this.list.clientHeight;
    if (top < this.list.scrollTop) this.list.scrollTop = top;
    else if (top + rowHeight > this.list.scrollTop + height) this.list.scrollTop = top + rowHeight - height;
  }

  private drawSoon(): void {
    if (this.drawsSoon) return;
    this.drawsSoon = true;
    requestAnimationFrame(() => {
      this.drawsSoon = false;
      this.draw();
    });
  }

  private draw(): void {
    const first = Math.max(0, Math.floor(this.list.scrollTop / rowHeight) - 10);
    const end = Math.min(this.rows.length, first + Math.ceil(this.list.clientHeight / rowHeight) + 20);
    const shown = this.rows.slice(first, end).map((row, i) => this.element(row, first + i));
    const there = this.rowOf.get(this.focused);
    if (there !== undefined && (there < first || there >= end)) shown.push(this.element(this.rows[there]!, there));
    this.sizer.replaceChildren(...shown);
    this.list.setAttribute('aria-activedescendant', `node-${this.focused}`);
  }

  private element({ node: n, indent }: TreeRow, row: number): HTMLElement {
    const node = this.tree.node(n);
    const what = n === root ? 'the beginning' : this.nameOf(node.receiver, node.message, 80);
    const again = this.tree.reachedBefore(n);
    const names = ['node-row', n === this.current && 'selected', n === this.focused && 'focused', node.found.length > 0 && 'failed'].filter(Boolean).join(' ');
    const sign = node.children.length === 0 ? '' : this.closed.has(n) ? '▸' : '▾';
    const element = h('div', {
      class: names, role: 'treeitem', id: `node-${n}`, 'aria-level': node.depth + 1, 'aria-selected': String(n === this.current),
      ...(node.children.length > 0 && { 'aria-expanded': String(!this.closed.has(n)) }), click: () => this.go(n),
    }, h('span', { class: 'sign', 'aria-hidden': 'true', click: (event) => { event.stopPropagation(); this.turn(n); } }, sign),
      h('span', { class: 'number' }, String(node.depth)), h('span', { class: 'what' }, what),
      node.drawn !== '' && h('span', { class: 'badge', title: brief(node.drawn) }, brief(node.drawn, 80)),
      node.found.length > 0 && h('span', { class: 'badge failed' }, brief(node.found[0]!, 80)),
      again !== undefined && h('span', { class: 'badge', title: 'The same configuration was reached before, at another place of the tree', 'aria-label': 'seen before' }, '↺'));
    element.style.top = `${row * rowHeight}px`;
    element.style.paddingLeft = `${6 + Math.min(indent, 40) * 12}px`;
    return element;
  }

  private turn(n: number): void {
    if (!this.closed.delete(n)) this.closed.add(n);
    this.makeRows();
    this.draw();
  }

  private focus(n: number): void {
    this.focused = n;
    this.reveal(n);
    this.draw();
  }

  private press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = this.rowOf.get(this.focused) ?? 0;
    const node = this.tree.node(this.focused);
    const to = (row: number) => this.focus(this.rows[Math.max(0, Math.min(this.rows.length - 1, row))]!.node);
    const actions: Record<string, () => void> = {
      ArrowDown: () => to(at + 1), ArrowUp: () => to(at - 1), Home: () => to(0), End: () => to(this.rows.length - 1),
      PageDown: () => to(at + 20), PageUp: () => to(at - 20), Enter: () => this.go(this.focused), ' ': () => this.go(this.focused),
      ArrowLeft: () => (node.children.length > 0 && !this.closed.has(this.focused) ? this.turn(this.focused) : this.focus(Math.max(root, node.parent))),
      ArrowRight: () => (this.closed.has(this.focused) ? this.turn(this.focused) : to(at + 1)),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  }
}
