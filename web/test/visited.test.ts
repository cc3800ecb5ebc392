import { describe, expect, test } from 'vitest';
import { drawnInWords, root, rowsOf, scheduleFrom, scheduleInWords, Visited } from '../src/explorer/visited';

/** root - a - b, and root - c */
function small() {
  const tree = new Visited();
  const a = tree.add(root, '0.0', 0, 'x', 'a()');
  const b = tree.add(a, '0.1', 2, 'x', 'b()');
  const c = tree.add(root, '0.1', 0, 'x', 'c()');
  return { tree, a, b, c };
}

describe('What was visited', () => {
  test('has each delivery with its draws once', () => {
    const { tree, a } = small();

    expect(tree.add(root, '0.0', 0, 'x', 'a()')).toBe(a);
    expect(tree.add(root, '0.0', 1, 'x', 'a()')).not.toBe(a);
  });

  test('knows the schedule that leads to each', () => {
    const { tree, b } = small();

    expect(tree.schedule(b)).toEqual([{ id: '0.0', code: 0 }, { id: '0.1', code: 2 }]);
    expect(tree.schedule(root)).toEqual([]);
  });

  test('knows where a configuration was reached first', () => {
    const { tree, b, c } = small();
    tree.know(b, 'same');
    tree.know(c, 'same');

    expect(tree.reachedBefore(c)).toBe(b);
    expect(tree.reachedBefore(b)).toBeUndefined();
    expect(tree.states).toBe(1);
  });

  test('forgets what turned out not to be possible, and what led there alone', () => {
    const { tree, a, b, c } = small();
    tree.forget(b);

    expect(tree.node(root).children).toEqual([c]);
    expect(tree.node(a).children).toEqual([]);
  });

  test('is indented only where there was a choice, and without what is closed', () => {
    const { tree, a, b, c } = small();

    expect(rowsOf(tree, new Set())).toEqual([{ node: root, indent: 0 }, { node: a, indent: 1 }, { node: b, indent: 1 }, { node: c, indent: 1 }]);
    expect(rowsOf(tree, new Set([a])).map((r) => r.node)).toEqual([root, a, c]);
  });
});

describe('A schedule in the address', () => {
  test('comes back as it was', () => {
    const schedule = [{ id: 'start', code: 0 }, { id: '-1.0', code: 3 }, { id: '12.4', code: 0 }];

    expect(scheduleInWords(schedule)).toBe('start,-1.0:3,12.4');
    expect(scheduleFrom(scheduleInWords(schedule))).toEqual(schedule);
  });

  test('that is none leads nowhere', () => {
    for (const words of ['', 'x', '1.0,', '1.0:x', '<b>', '1.0;2.0']) expect(scheduleFrom(words)).toEqual([]);
  });
});

test('What a step draws is said in words', () => {
  expect(drawnInWords([1, 0], ['a() to b_1 is lost'])).toBe('draws 1, 0; a() to b_1 is lost');
  expect(drawnInWords()).toBe('');
});
