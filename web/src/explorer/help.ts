// What the keys of the explorer do.
import { h } from '../dom';

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
  const dialog = h('dialog', { 'aria-label': 'Keys' }, h('h2', {}, 'Keys'), table,
    h('button', { type: 'button', click: () => dialog.close() }, 'Close'));
  return dialog;
}
