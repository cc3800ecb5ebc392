// The page of `harrier web` in a real browser.
//
// usage: HARRIER=... PROGRAMS=... node browser_test.mjs    (PROGRAMS is tests/e2e/programs.cpp, built)
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';

function skipUnless(isThere, what) {
  if (isThere) return;
  console.log(`SKIPPED: ${what} not installed; scripts/setup web does that`);
  process.exit(0);
}

const ofPages = createRequire(new URL('../../web/package.json', import.meta.url));
function installed(name) {
  try {
    return ofPages(name);
  } catch {
    return undefined;
  }
}

const playwright = installed('playwright-core');
const executable = ['chromium', 'chromium-browser', 'google-chrome']
  .flatMap((name) => (process.env.PATH ?? '').split(':').map((folder) => path.join(folder, name))).find((file) => fs.existsSync(file));
skipUnless(playwright, "npm's packages of web/ are");
skipUnless(executable, 'chromium is');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'harrier-web-'));
const browser = await playwright.chromium.launch({ executablePath: executable, args: ['--no-sandbox'] });
const servers = [];
after(async () => {
  await browser.close();
  for (const server of servers) server.kill();
  fs.rmSync(folder, { recursive: true, force: true });
});

/** The address of a new server, and what is wrong with its pages so far. */
async function served(words, binary = 'HARRIER', command = ['web']) {
  const server = spawn(process.env[binary], [...command, ...words]);
  servers.push(server);
  const address = await new Promise((found, failed) => {
    server.stdout.on('data', (text) => found(/http:\S+/.exec(String(text))[0]));
    server.on('exit', () => failed(new Error(`${words.join(' ')}: no address`)));
  });
  return { address, server };
}

/** A tab, with all that it should not do. */
async function opened(address, looks = {}) {
  const page = await browser.newPage({ acceptDownloads: true, ...looks });
  const unwanted = [];
  const { host } = new URL(address);
  page.on('console', (message) => message.type() === 'error' && unwanted.push(message.text()));
  page.on('pageerror', (error) => unwanted.push(String(error)));
  page.on('dialog', (dialog) => (unwanted.push(dialog.message()), dialog.dismiss()));
  page.on('request', (request) => !/^(data|blob):/.test(request.url()) && new URL(request.url()).host !== host && unwanted.push(request.url()));
  await page.goto(address);
  await page.locator('.now h2').first().waitFor();
  return { page, unwanted };
}

/** Waits until `places` deliveries lead to where the page is. */
const at = (page, place) => page.locator('.position', { hasText: new RegExp(`^${place} / `) }).waitFor();

async function press(page, key, place) {
  await page.keyboard.press(key);
  await at(page, place);
}

const choices = (page) => page.locator('.deliver .what').allInnerTexts();

/** Delivers the first message that reads so. */
async function deliver(page, message, place) {
  await page.locator('.deliver', { hasText: message }).first().click();
  await at(page, place);
}

async function saved(page, name) {
  const waiting = page.waitForEvent('download');
  await page.getByRole('toolbar').getByRole('button', { name: 'Save trace' }).click();
  const file = path.join(folder, name);
  await (await waiting).saveAs(file);
  return file;
}

const replayed = (binary, file) => spawnSync(process.env[binary], ['replay', file], { encoding: 'utf8' });

describe('The explorer', () => {
  test('leads from a click to a saved trace that replays on the command line', async () => {
    const { page, unwanted } = await opened((await served(['deadlock'], 'PROGRAMS')).address);
    await deliver(page, 'meet', 1);
    await deliver(page, 'meet', 2);
    await deliver(page, 'go', 3);
    await deliver(page, 'go', 4);

    assert.match(await page.locator('.found-here').innerText(), /deadlock: nothing can be delivered, and peer_0, peer_1 wait/);
    const again = replayed('PROGRAMS', await saved(page, 'deadlock.json'));
    assert.equal(again.status, 1, again.stdout + again.stderr);
    assert.match(again.stdout, /Found again deadlock/);
    assert.deepEqual(unwanted, []);
  });

  test('goes back, takes another order, and keeps both in its tree', async () => {
    const { page, unwanted } = await opened((await served(['deadlock'], 'PROGRAMS')).address);
    await press(page, '1', 1);
    await press(page, '1', 2);
    await press(page, 'ArrowUp', 1);
    await press(page, '2', 2);

    assert.equal(await page.locator('.node-row').count(), 4);
    await press(page, 'Home', 0);
    assert.equal((await choices(page)).length, 4);
    await press(page, 'End', 2);
    assert.deepEqual(unwanted, []);
  });

  test('is used with the keyboard alone: the tree, too', async () => {
    const { page } = await opened((await served(['deadlock'], 'PROGRAMS')).address);
    await press(page, '1', 1);
    await page.keyboard.press('t');
    await page.keyboard.press('ArrowUp');
    await press(page, 'Enter', 0);
    assert.equal(await page.locator('[role=treeitem][aria-selected=true]').innerText().then((t) => /the beginning/.test(t)), true);
  });

  test('starts an engine and goes to what that finds', async () => {
    const { page, unwanted } = await opened((await served(['server'])).address);
    await press(page, '1', 1);
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByRole('button', { name: /^Go there/ }).click();
    await at(page, 6);

    assert.match(await page.locator('.found-here').innerText(), /two reads in a row agree/);
    const again = replayed('HARRIER', await saved(page, 'server.json'));
    assert.equal(again.status, 1, again.stdout + again.stderr);
    assert.deepEqual(unwanted, []);
  });

  test('takes another outcome of a step that draws', async () => {
    const { page } = await opened((await served(['choices'], 'PROGRAMS')).address);
    await press(page, '1', 1);
    await page.locator('.outcome', { hasText: 'draws 2, 3' }).click();
    await page.locator('.found-here').waitFor();

    assert.match(await page.locator('.found-here').innerText(), /not both at their highest/);
    assert.equal(replayed('PROGRAMS', await saved(page, 'choices.json')).status, 1);
  });

  test('says which step crashed, and goes on', async () => {
    const { page, unwanted } = await opened((await served(['harm', 'how=abort'], 'PROGRAMS')).address);
    await deliver(page, 'turn', 1);
    await deliver(page, 'second', 2);

    assert.match(await page.locator('.now [role=alert]').innerText(), /^Step 2 crashed: victim_0\.second\(\) ended the process: SIGABRT/);
    assert.equal(replayed('PROGRAMS', await saved(page, 'harm.json')).status, 1);
    await press(page, 'ArrowUp', 1);
    await deliver(page, 'first', 2);
    assert.deepEqual(unwanted, []);
  });

  test('has two tabs that do not know of each other, and leads to the same place when it is loaded anew', async () => {
    const { address } = await served(['deadlock'], 'PROGRAMS');
    const [one, other] = [await opened(address), await opened(address)];
    await press(one.page, '1', 1);
    await press(one.page, '1', 2);
    await press(other.page, '3', 1);
    await one.page.reload();
    await at(one.page, 2);

    assert.equal(await other.page.locator('.node-row').count(), 2);
    assert.equal((await choices(one.page)).length, 2);
  });

  test('says so if its token is stale, and if the server has ended', async () => {
    const first = await served(['deadlock'], 'PROGRAMS');
    const port = new URL(first.address).port;
    const { page } = await opened(first.address);
    const isOver = new Promise((over) => first.server.on('exit', over));
    first.server.kill();
    await isOver;
    await page.keyboard.press('1');
    await page.locator('[role=status]', { hasText: 'harrier does not answer' }).waitFor();
    await served(['deadlock', '--port', port], 'PROGRAMS');
    await page.keyboard.press('1');
    await page.locator('[role=status]', { hasText: 'token in this address is not of the harrier that answers here' }).waitFor();
    const answer = await page.goto(first.address);
    assert.equal(answer.status(), 403);
    assert.match(await page.locator('body').innerText(), /Open the address that it has printed/);
  });

  test('gives nothing to a page of another origin', async () => {
    const { address } = await served(['deadlock'], 'PROGRAMS');
    const page = await browser.newPage();
    await page.route('http://other.example/', (route) => route.fulfill({ contentType: 'text/html', body: '<p>other</p>' }));
    await page.goto('http://other.example/');
    const { origin, searchParams } = new URL(address);
    const got = await page.evaluate(([to, token]) => fetch(`${to}/api/visit`, {
      method: 'POST', body: '{"schedule":[]}', headers: { 'Content-Type': 'application/json', 'X-Harrier-Token': token },
    }).then((r) => r.text(), () => 'nothing'), [origin, searchParams.get('token')]);
    assert.equal(got, 'nothing');
  });

  test('shows a protocol as what its roles do', async () => {
    if (!process.env.DEFINITION) return;
    const { page, unwanted } = await opened((await served([process.env.DEFINITION, '--session', 'read-twice', '--on', 'definition', '--web'], 'HARRIER', ['protocol', 'explore'])).address);
    await press(page, '1', 1);

    assert.match(await page.locator('.row.selected').innerText(), /client SEND Set TO server/);
    assert.deepEqual(await page.locator('.names .name').allInnerTexts(), ['client', 'server']);
    assert.deepEqual(unwanted, []);
  });

  test('shows texts of the program as text', async () => {
    const { page, unwanted } = await opened((await served(['odd-texts'], 'PROGRAMS')).address);
    assert.match((await choices(page)).join(), /bell\\x07/);
    assert.deepEqual(unwanted, []);
  });

  for (const colorScheme of ['light', 'dark'])
    for (const viewport of [{ width: 1400, height: 850 }, { width: 400, height: 800 }])
      test(`can be read in ${colorScheme} colours where it is ${viewport.width} pixels wide`, async () => {
        const { page, unwanted } = await opened((await served(['diningphil', 'n=3'])).address, { viewport, colorScheme });
        await page.getByRole('button', { name: 'Search', exact: true }).click();
        await page.getByRole('button', { name: /^Go there/ }).click();
        await page.locator('.found-here').waitFor();
        if (process.env.PICTURES) await page.screenshot({ path: path.join(process.env.PICTURES, `explorer-${viewport.width}-${colorScheme}.png`) });
        await page.evaluate(fs.readFileSync(ofPages.resolve('axe-core/axe.min.js'), 'utf8'));
        const { violations } = await page.evaluate(() => globalThis.axe.run());

        const boxes = await page.locator('.panes > *').evaluateAll((all) => all.map((e) => e.getBoundingClientRect()).map(({ left, right, top, bottom }) => ({ left, right, top, bottom })));
        const apart = (a, b) => a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
        assert.ok(boxes.length === 3 && boxes.every((a, i) => boxes.every((b, j) => i >= j || apart(a, b))), JSON.stringify(boxes));
        assert.deepEqual(violations.map((v) => `${v.id}: ${v.help}: ${v.nodes.map((n) => n.html.slice(0, 160)).join(' | ')}`), []);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), 0);
        assert.deepEqual(unwanted, []);
      });

  test('stays usable with 100,000 visited states', async () => {
    const { page } = await opened((await served(['senders', 'n=8'])).address);
    await page.getByLabel('Deliveries deep').fill('9');
    await page.getByLabel('Deliveries at most').fill('200000');
    const begun = Date.now();
    await page.getByRole('button', { name: 'Visit', exact: true }).click();
    await page.locator('.search-result', { hasText: /that is all there is|there is more/ }).waitFor();
    const visited = Date.now();
    await press(page, '1', 1);
    await page.keyboard.press('t');
    await page.keyboard.press('End');
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    const then = Date.now() - visited;
    const count = await page.locator('.side h2').last().innerText();
    console.log(`${count}: visited in ${visited - begun} ms; then a step, and the end of the tree, in ${then} ms`);
    assert.equal(count, 'Visited 109,600 deliveries, 109,601 states');
    assert.ok(await page.locator('.node-row').count() < 200, 'only rows that are seen are there');
  });
});
