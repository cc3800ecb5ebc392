// What the keys do, and what the signs of the diagram mean.
import { h, svg } from './dom';

export const keys: [string, string][] = [
  ['↓ or j, ↑ or k', 'the next step, the one before'],
  ['Page Down, Page Up', 'ten steps on, ten back'],
  ['Home or g, End or G', 'the beginning, the last step'],
  ['←', 'the step that sent the message'],
  ['→', 'the first step that takes what this one sends'],
  [']  and  [', 'the next and the last step of the same actor'],
  ['f', 'the next step with a failure or a fault'],
  ['/', 'search; Enter goes to the next that matches'],
  ['n and N', 'the next and the last that matches'],
  ['a', 'choose actors: only what they take is shown'],
  ['c', 'show the causal past, or not'],
  ['x', 'go to the other order, where there are two'],
  ['?', 'these keys'],
  ['Escape', 'close, or show everything again'],
];

const signs: [string, string][] = [
  ['node lane1@M12 5a6 6 0 1 0 .01 0z', 'a step: the actor on whose lane it is takes a message'],
  ['failure@M12 2l9 9l-9 9l-9 -9z', 'something was found in this step'],
  ['arrow@M2 3L21 18m-7 -1l7 1l-2 -7', 'a message, from the step that sends it to the one that takes it'],
  ['arrow reply@M2 3L21 18', 'a reply to a call'],
  ['arrow timer@M4 3C24 3 24 19 6 19', 'a timer of the actor'],
  ['arrow past@M2 3L22 19', 'it led to the selected step'],
  ['arrow pending@M2 3L22 19', 'on its way after the selected step'],
  ['stub@M2 6L15 13a2.5 2.5 0 1 0 5 2a2.5 2.5 0 1 0 -5 -2', 'a message that nobody takes in this trace'],
  ['cross@M7 6l10 10m0 -10l-10 10', 'a message that is lost, or an actor that crashes'],
  ['fault@M12 4l7 13h-14z', 'a fault befalls something in this step'],
  ['drawn@M12 5l6 6l-6 6l-6 -6z', 'the handler draws a value'],
  ['created@M6 5h12v12h-12z', 'an actor is created'],
  ['gone@M4 11h16', 'an actor is gone'],
];

/** What the signs of the diagram mean. */
export function legend(): HTMLElement {
  return h('ul', { class: 'legend' }, ...signs.map(([sign, what]) => {
    const [names, path] = sign.split('@') as [string, string];
    return h('li', {}, svg('svg', { width: 24, height: 22, 'aria-hidden': 'true' }, svg('path', { class: names, d: path })), ` ${what}`);
  }));
}

/** The dialog that `?` opens. */
export function helpDialog(): HTMLDialogElement {
  const table = h('table', {}, h('tbody', {}, ...keys.map(([key, what]) => h('tr', {}, h('th', { scope: 'row' }, key), h('td', {}, what)))));
  const dialog = h('dialog', { 'aria-label': 'Keys and signs' },
    h('div', { class: 'dialog-head' }, h('h2', {}, 'Keys'), h('button', { type: 'button', click: () => dialog.close() }, 'Close')),
    table, h('h2', {}, 'Signs'), legend());
  return dialog;
}
