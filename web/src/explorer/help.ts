// What the keys of the explorer do, and what the signs mean.
import { h } from '../dom';
import { legend } from '../help';

export const explorerKeys: [string, string][] = [
  ['1 to 9', 'deliver that message'],
  ['Tab, then Enter', 'any other message, or another outcome of a step'],
  ['↑ or k or Backspace', 'one step back'],
  ['↓ or j', 'the next step of this line'],
  ['Home or g, End or G', 'the beginning, the end of this line'],
  ['t', 'the tree: arrows move in it, Enter goes there, ← and → close and open'],
  ['e', 'search from here'],
  ['s', 'save the trace that leads here'],
  ['?', 'these keys'],
];

export function explorerHelp(): HTMLDialogElement {
  const table = h('table', {}, h('tbody', {}, ...explorerKeys.map(([key, what]) => h('tr', {}, h('th', { scope: 'row' }, key), h('td', {}, what)))));
  const dialog = h('dialog', { 'aria-label': 'Keys and signs' },
    h('div', { class: 'dialog-head' }, h('h2', {}, 'Keys'), h('button', { type: 'button', click: () => dialog.close() }, 'Close')),
    table, h('h2', {}, 'Signs'), legend());
  return dialog;
}
