// What is printed: all of a finding, without anything to be clicked.
import { draw } from './diagram';
import { h, named, svg } from './dom';
import { lanesOf, Rows } from './layout';
import type { Trace } from './trace';
import { changeInWords, remarksOf, sender, taken } from './words';

const mostRows = 1000;
const rowsOfAPicture = 28;
const everyone: ReadonlySet<string> = new Set();
const width = 660;
const nothing = -1;

function pictures(trace: Trace, rows: Rows, last: number): HTMLElement[] {
  const lanes = lanesOf(trace, everyone, width);
  const drawnWidth = lanes.names.length * lanes.pitch;  // more than the paper's if there are many: the picture becomes smaller
  const share = `${100 / lanes.names.length}%`;
  const drawn: HTMLElement[] = [];
  for (let first = 0; first < last; first += rowsOfAPicture) {
    const canvas = svg('svg', {});
    const end = Math.min(last, first + rowsOfAPicture);
    draw(canvas, trace, rows, lanes, { first, end }, { selected: nothing, past: undefined, left: 0, width: drawnWidth });
    const names = h('div', { class: lanes.pitch < 90 ? 'paper-names tight' : 'paper-names' }, ...lanes.names.map((n) => {
      const name = h('span', {}, named(n, 24));
      name.style.width = share;
      return name;
    }));
    const figure = h('figure', {}, names, canvas, h('figcaption', {}, `Steps ${Math.max(1, first)} to ${end - 1}`));
    figure.style.maxWidth = `${Math.max(drawnWidth, 300)}px`;
    drawn.push(figure);
  }
  return drawn;
}

/** One order on paper. */
export function onPaper(trace: Trace, title: string): HTMLElement {
  const rows = new Rows(trace, everyone);
  const last = Math.min(rows.count, mostRows);
  const line = (number: number) => {
    const step = trace.step(number)!;
    const change = changeInWords(trace, step);
    return h('li', { value: number }, h('b', {}, taken(step)), ` from ${sender(step.takes)}`,
      ...remarksOf(step).map((r) => h('span', { class: r.kind }, `; ${r.text}`)), change && `; changes ${change}`);
  };
  const left = trace.length - (last - 1);
  return h('section', {}, h('h2', {}, title), ...pictures(trace, rows, last),
    h('ol', {}, ...rows.numbers.slice(1, last).map(line)),
    left > 0 && h('p', {}, `${left.toLocaleString('en')} more steps are not printed.`));
}
