// A page is read with the keyboard alone.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { before, describe, test } from 'node:test';
import { detail, explored, here, madeUp, opened, position, press, readTrace, replayed, run, spoken } from './pages.mjs';

const server = explored('server', ['server']);
const office = explored('office', ['office', '--lose', '1', '--crash', '1', '--timeouts', '1'], 'PROGRAMS');
const philosophers = explored('philosophers', ['diningphil', 'n=3']);

/** The page after these keys. */
async function after(file, ...keys) {
  const { page, unwanted } = await opened(file);
  await press(page, ...keys);
  assert.deepEqual(unwanted, []);
  return page;
}

const status = (page) => page.locator('[role=status]').innerText();
const shownSteps = (page) => page.locator('.column').first().locator('[role=option] .number').allInnerTexts();

describe('A page', () => {
  test('begins at the step that fails', async () => {
    const page = await after(server.page);

    assert.equal(await position(page), '6 / 6');
    assert.match(await spoken(page), /^6 client_1\.reply\(5\) .*assertion: two reads in a row agree .* from server_0 in step 5; sends 1 message$/);
    assert.match(await page.locator('h1').innerText(), /^assertion two reads in a row agree$/);
    assert.equal(await page.title(), 'server: harrier report');
  });

  test('names the source file as it is called where the page is written', async () => {
    const root = new URL('../..', import.meta.url).pathname;
    assert.equal(run('HARRIER', ['explore', 'server', '--report', here('root.html')], root).status, 1);
    const page = await after(here('root.html'));

    assert.match(await page.locator('.where').innerText(), /in client_1 · subjects\/server\.cpp:27/);
    assert.match(await spoken(page), /two reads in a row agree \(subjects\/server\.cpp:27\)/);
  });

  test('of a deadlock says who waits for whom', async () => {
    const page = await after(madeUp('waiting', readTrace(philosophers.trace)));

    assert.equal(await position(page), '9 / 9');
    assert.match(await spoken(page), /found after it/);
    assert.match(await page.locator('header').innerText(), /philosopher_3 waits for the reply to fork_1\.take\(\)/);
  });

  test('says of a step what was taken, sent and changed, and what is pending', async () => {
    const said = await detail(await after(server.page, 'g', 'j', 'j', 'j'));

    assert.match(said, /^3\. server_0\.set\(5\)/);
    assert.match(said, /sent by\s+client_1 in step 1/);
    assert.match(said, /value\s+0\s+5/);
    assert.match(said, /Pending after it: 1\s+client_1\.reply\(0\) from server_0, taken in step 4/);
  });

  test('of an execution that passes has its summary alone', async () => {
    assert.equal(run('HARRIER', ['explore', 'leader', '--report', here('passed.html')]).status, 0);
    const page = await after(here('passed.html'), 'j', 'f', 'x');

    assert.match(await page.locator('h1').innerText(), /^Explored completely/);
    assert.equal(await page.locator('[role=listbox]').count(), 0);
  });
});

describe('These keys go from the last of six steps to others:', () => {
  let page;
  before(async () => (page = await after(server.page)));
  for (const [keys, to] of [
    ['k', 5], ['ArrowUp', 5], ['g', 0], ['Home', 0], ['Home j', 1], ['Home ArrowDown', 1], ['Home End', 6], ['Home G', 6], ['PageUp', 0],
    ['Home PageDown', 6], ['ArrowLeft', 5], ['ArrowLeft ArrowLeft ArrowLeft', 2], ['Home ArrowRight', 1], ['Home j ArrowRight', 2],
    ['[', 4], ['[ [', 1], ['Home j ]', 4], ['Home f', 6],
  ])
    test(`${keys}: to ${to}`, async () => {
      await press(page, 'End', ...keys.split(' '));
      assert.equal(await position(page), `${to} / 6`);
    });

  test('f, to each fault and failure in turn', async () => {
    const page = await after(office.page, 'Home', 'f');
    assert.match(await spoken(page), /is lost/);
    await press(page, 'f');
    assert.match(await spoken(page), /clerk_1 crashes/);
  });

  test('Enter in the search, and n and N outside it, to what matches', async () => {
    const page = await after(server.page, '/', 's', 'e', 't', 'Enter');
    assert.match(await page.locator('.found').innerText(), /^2 steps$/);
    assert.equal(await position(page), '1 / 6');
    await page.locator('[role=listbox]').first().focus();
    await press(page, 'n');
    assert.equal(await position(page), '3 / 6');
    await press(page, 'N');
    assert.equal(await position(page), '1 / 6');
  });

  test('n, nowhere once the search is empty again', async () => {
    const page = await after(server.page, '/', 's', 'e', 't', 'Escape', 'Escape', 'n');

    assert.equal(await position(page), '6 / 6');
    assert.match(await status(page), /Nothing matches/);
  });
});

describe('What is shown', () => {
  test('are the steps of the chosen actors', async () => {
    const page = await after(server.page, 'a', 'c', 'l', 'i', 'Tab', 'Tab', 'Space');

    assert.deepEqual(await shownSteps(page), ['0', '1', '4', '6']);
    assert.match(await status(page), /3 steps of 1 actor shown/);
    await press(page, 'Escape', 'Escape');
    assert.deepEqual(await shownSteps(page), ['0', '1', '2', '3', '4', '5', '6']);
  });

  test('are all actors again when a key goes to a step of another', async () => {
    const page = await after(server.page, 'a', 'c', 'l', 'i', 'Tab', 'Tab', 'Space', 'Escape', 'ArrowLeft');

    assert.equal(await position(page), '5 / 6');
    assert.match(await status(page), /All actors are shown again/);
  });

  test('is the causal past of the selected step, or not', async () => {
    const past = (page) => page.locator('.column').first().locator('[role=option].past .number').allInnerTexts();
    const page = await after(server.page, 'g', 'j', 'j');

    assert.deepEqual(await past(page), ['0', '1', '2']);
    await press(page, 'c');
    assert.deepEqual(await past(page), []);
  });

  test('are keys and signs, until Escape', async () => {
    const page = await after(server.page, '?');

    assert.equal(await page.getByRole('dialog', { name: 'Keys and signs' }).isVisible(), true);
    await press(page, 'j', 'k', 'Escape');
    assert.equal(await page.getByRole('dialog').count(), 0);
    assert.equal(await position(page), '6 / 6');
  });

  test('is in the dialog for every key that the documentation has', async () => {
    const page = await after(server.page, '?');
    const told = await page.locator('dialog table').innerText();
    const documented = fs.readFileSync(new URL('../../docs/report-page.md', import.meta.url), 'utf8').match(/\| key \|[^]*?\n\n/)[0];

    for (const key of ['Page Down', 'Home', 'G', 'f', '/', 'N', 'a', 'c', 'x', '?', 'Escape']) {
      assert.ok(told.includes(key), key);
      assert.ok(documented.includes(key), key);
    }
  });
});

describe('Two orders', () => {
  test('are the one that fails and the nearest one that passes', async () => {
    const page = await after(server.page);

    assert.deepEqual(await page.locator('.column-title').allInnerTexts(), ['The order that fails', 'The nearest order that passes']);
    assert.match(await page.locator('.because').innerText(), /^Why: ./);
  });

  /** The server's bug, and an order in which both reads agree. */
  function bothOrders() {
    const trace = readTrace(server.trace);
    const [start, get, set, reply, again, last] = trace.steps;
    const early = { ...set, state: '{value=5}' };
    const late = { ...get, state: '{value=5}', sends: [{ message: 'reply(5)', receiver: 'client_1' }] };
    const passing = [start, early, late, { ...reply, id: '3.0', message: 'reply(5)' }, { ...again, id: '4.0' }, { ...last, id: '5.0', findings: [] }];
    return madeUp('two', trace, { ...trace, steps: passing });
  }
  const file = bothOrders();

  test('stand side by side, and say where they part', async () => {
    const page = await after(file);

    assert.deepEqual(await page.locator('.column-title').allInnerTexts(), ['The order that fails', 'An order that passes']);
    const rows = await page.locator('.column').first().locator('[role=option]').allInnerTexts();
    assert.match(rows[2], /server_0\.get\(\)\s+parts here\s+here the orders part; another outcome/);
  });

  test('have marks that can be read where there is little room', async () => {
    for (const width of [1400, 400]) {
      const { page } = await opened(file, { viewport: { width, height: 850 } });
      const marks = await page.locator('.badge.differs').evaluateAll((all) => all.map((e) => [e.innerText, e.scrollWidth <= e.clientWidth]));

      assert.deepEqual(marks, [['parts here', true], ['differs', true], ['parts here', true], ['differs', true], ['differs', true]]);
    }
  });

  test('show what is taken where they part, however little room there is', async () => {
    for (const shown of [file, server.page])
      for (const width of [1400, 1000, 400]) {
        const { page } = await opened(shown, { viewport: { width, height: 850 } });
        const parting = page.locator('.row', { has: page.getByText('parts here', { exact: true }) }).locator('.what');

        assert.equal(await parting.count(), 2);
        assert.deepEqual(await parting.evaluateAll((all) => all.filter((e) => e.scrollWidth > e.clientWidth).map((e) => `${width}: ${e.innerText}`)), []);
        await page.context().close();
      }
  });

  test('follow each other, and x goes from one to the other', async () => {
    const page = await after(file, 'g', 'j', 'j');
    const selected = () => page.locator('[role=option][aria-selected=true] .number').allInnerTexts();

    assert.deepEqual(await selected(), ['2', '3']);
    assert.match(await detail(page), /In an order that passes\s+Step 3, with another state after it: \{value=5\}/);
    await press(page, 'x', 'k');
    assert.deepEqual(await selected(), ['3', '2']);
    assert.match(await detail(page), /^2\. server_0\.set\(5\)/);
  });
});

describe('A trace', () => {
  async function saved(file) {
    const page = await after(file);
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save trace' }).click()]);
    const name = here(`saved-${download.suggestedFilename()}`);
    await download.saveAs(name);
    return name;
  }

  test('that is saved from the page is what --save-trace writes, and replays', async () => {
    const file = await saved(office.page);

    assert.equal(fs.readFileSync(file, 'utf8'), fs.readFileSync(office.trace, 'utf8'));
    const replayed = run('PROGRAMS', ['replay', file]);
    assert.equal(replayed.status, 1, replayed.err);
    assert.match(replayed.out, /^Found again assertion: no job is lost when the clerk was away/);
  });

  test('that is saved from the page of a replay is the file that was replayed', async () => {
    replayed('office', 'PROGRAMS');
    const file = await saved(here('office.html'));

    assert.equal(fs.readFileSync(file, 'utf8'), fs.readFileSync(office.trace, 'utf8'));
  });

  test('keeps numbers that JavaScript cannot count to', async () => {
    const seed = '18446744073709551615';
    explored('random', ['server', '--engine', 'random', '--seed', seed]);

    assert.match(fs.readFileSync(await saved(here('random.html')), 'utf8'), new RegExp(`"seed": ${seed},`));
  });

  test('is replayed by the command on the page once it is saved under its name', async () => {
    const bare = here('bare.html');
    assert.equal(run('HARRIER', ['explore', 'server', '--report', bare]).status, 1);
    const page = await after(bare);
    const told = await page.locator('.replay').innerText();

    assert.match(told, /replay server\.json/);
    assert.match(told, /Save the trace as server\.json/);
    assert.match(await saved(bare), /saved-server\.json$/);
  });
});

describe('A run of a protocol', () => {
  const chess = new URL('../../examples/protocols/chess.dcj', import.meta.url).pathname;
  const formula = '!"white SEND" U "black SEND"';
  run('HARRIER', ['protocol', 'check', chess, '--session', 'chess', '--property', formula, '--save-trace', here('chess.json')]);
  replayed('chess');

  test('has a lane for each role, and an arrow from SEND to RECV', async () => {
    const page = await after(here('chess.html'), 'g', 'j', 'j');

    assert.deepEqual(await page.locator('.strip .name').allInnerTexts(), ['white', 'black']);
    assert.match(await spoken(page), /^2 black RECV Move FROM white/);
    assert.match(await detail(page), /sent by\s+white in step 1/);
  });

  test('says from where on it repeats itself', async () => {
    const page = await after(here('chess.html'));

    assert.equal(await page.locator('.badge.differs').innerText(), 'again and again');
  });
});

describe('A CAF program', { skip: process.env.CAF_BANK ? false : 'this harrier is built without CAF' }, () => {
  test('has a page when it is explored, and when it is replayed', async () => {
    const files = ['--report', here('bank.html'), '--save-trace', here('bank.json')];
    assert.equal(run('HARRIER', ['caf', process.env.CAF_BANK, 'rent', ...files]).status, 1);
    const explored = await after(here('bank.html'));
    const again = await after(replayed('bank'));

    for (const page of [explored, again]) {
      assert.match(await page.locator('h1').innerText(), /main returned 1/);
      assert.match(await spoken(page), /driver\.goes_on\(\)/);
    }
  });
});
