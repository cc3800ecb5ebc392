// Executions of thousands of steps.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explored, opened, position, press, spoken } from './pages.mjs';

const long = explored('long', ['pingpong', 'n=2600', '--environment', 'empty', '--engine', 'random', '--max-executions', '1']);
const elements = (page) => page.evaluate(() => document.querySelectorAll('*').length);

test('Of an execution of 5,202 steps, what is seen exists and no more', async () => {
  const { page, unwanted } = await opened(long.page);

  assert.equal(await position(page), '5202 / 5202');
  for (const keys of [['Home'], ['PageDown', 'PageDown', 'j'], ['End'], ['PageUp', 'k', 'c']]) {
    await press(page, ...keys);
    assert.ok((await elements(page)) < 1000, `${await elements(page)} elements`);
  }
  assert.equal(await position(page), '5191 / 5202');
  assert.match(await spoken(page), /^5191 player_/);
  assert.deepEqual(unwanted, []);
});

test('It can be scrolled to any place', async () => {
  const { page } = await opened(long.page);
  await page.locator('.list').evaluate((list) => list.scrollTo(0, 2600 * 30));
  await press(page);
  const shown = (await page.locator('[role=option] .number').allInnerTexts()).map(Number);

  assert.ok(shown.includes(2605), shown.join());
  assert.ok((await elements(page)) < 1000);
});

test('A search goes through all of it', async () => {
  const { page } = await opened(long.page);
  await press(page, 'Home');
  await page.getByRole('searchbox', { name: /Search/ }).fill('player_1');

  assert.match(await page.locator('.found').innerText(), /^[\d,]+ steps$/);
});

test('On paper there are the first thousand steps, and how many more there are', async () => {
  const { page } = await opened(long.page);
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));

  assert.match(await page.locator('.paper').evaluate((paper) => paper.textContent), /4,203 more steps are not printed/);
});
