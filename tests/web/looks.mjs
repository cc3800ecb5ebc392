// How pages look: in light and dark, wide and narrow, on paper, and to those who do not see them.
//
// PICTURES=FOLDER keeps pictures of all of them.
import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import { explored, opened, press, run, here, sourceOf } from './pages.mjs';

const axe = sourceOf('axe-core/axe.min.js');
const pages = {
  server: explored('server', ['server']).page,
  philosophers: explored('philosophers', ['diningphil', 'n=5']).page,
  office: explored('office', ['office', '--lose', '1', '--crash', '1', '--timeouts', '1'], 'PROGRAMS').page,
  commit: explored('commit', ['two-phase-commit', 'participants=9', '--environment', 'empty']).page,
};

async function keepPicture(page, name) {
  if (process.env.PICTURES) await page.screenshot({ path: path.join(process.env.PICTURES, `${name}.png`) });
}

/** What axe-core, which knows the rules for pages that everybody can use, has to say. */
async function complaints(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  return violations.map((v) => `${v.id}: ${v.help}: ${v.nodes.map((n) => n.html.slice(0, 120)).join(' | ')}`);
}

const overflow = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Buttons and marks of which a part is cut off. */
const cutOff = (page) => page.locator('.toolbar > *, header button, .badge.differs').evaluateAll((all) =>
  all.filter((e) => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflow === 'hidden').map((e) => e.outerHTML));

for (const [name, file] of Object.entries(pages))
  describe(`The page of ${name}`, () => {
    for (const colorScheme of ['light', 'dark'])
      for (const [shape, viewport] of [['wide', { width: 1400, height: 850 }], ['narrow', { width: 400, height: 800 }]])
        test(`can be read in ${colorScheme} colours where it is ${shape}`, async () => {
          const { page, unwanted } = await opened(file, { viewport, colorScheme });
          await keepPicture(page, `${name}-${shape}-${colorScheme}`);

          assert.equal(await overflow(page), 0);
          assert.deepEqual(await cutOff(page), []);
          assert.deepEqual(await complaints(page), []);
          assert.deepEqual(unwanted, []);
          await page.context().close();
        });
  });

test('The dialog of keys and signs has nothing that keeps anybody out', async () => {
  const { page } = await opened(pages.server);
  await press(page, '?');
  await keepPicture(page, 'keys');

  assert.deepEqual(await complaints(page), []);
});

test('The tabulator goes from the finding to the steps and on to what there is to know of the selected one', async () => {
  const { page } = await opened(pages.server);
  const focused = () => page.evaluate(() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.innerText);

  assert.equal(await focused(), 'The order that fails: steps');
  await press(page, 'Tab');
  assert.equal(await focused(), 'The nearest order that passes: steps');
  await press(page, 'Tab');
  assert.equal(await focused(), 'The selected step');
  await press(page, 'Shift+Tab', 'Shift+Tab', 'Shift+Tab');
  assert.equal(await focused(), '');
  await press(page, 'Shift+Tab');
  assert.equal(await focused(), 'Actors');
});

test('The buttons take two lines where it is narrow, and one where it is wide', async () => {
  const button = 28;
  const lines = async (width) => {
    const { page } = await opened(pages.server, { viewport: { width, height: 800 } });
    return Math.floor((await page.locator('.toolbar').boundingBox()).height / button);
  };

  assert.equal(await lines(400), 2);
  assert.equal(await lines(1000), 1);
});

test('Colours follow the system', async () => {
  const ground = async (colorScheme) => (await opened(pages.server, { colorScheme })).page.evaluate(() => getComputedStyle(document.body).backgroundColor);

  assert.equal(await ground('light'), 'rgb(255, 255, 255)');
  assert.equal(await ground('dark'), 'rgb(20, 24, 28)');
});

describe('On paper', () => {
  test('there is all of the finding, and nothing to be clicked', async () => {
    const { page } = await opened(pages.office, { colorScheme: 'dark' });
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    await page.emulateMedia({ media: 'print' });
    await keepPicture(page, 'paper');
    const said = await page.locator('body').innerText();

    assert.match(said, /no job is lost when the clerk was away/);
    assert.match(said, /boss_0\.start\(\) from driver in step 1; .*draws 0; creates clerk_1, courier_2/);
    assert.match(said, /work\(\d\) to clerk_1 is lost/);
    assert.equal(await page.locator('.paper svg .crash').count(), 1);
    assert.deepEqual(await page.locator('button:visible, input:visible').allInnerTexts(), []);
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(255, 255, 255)');
  });

  test('the browser asks for it by itself', async () => {
    const { page } = await opened(pages.office, {});
    const paper = await page.pdf(process.env.PICTURES ? { path: path.join(process.env.PICTURES, 'paper.pdf') } : {});

    assert.ok(paper.length > 10_000);
  });
});

test('The page of a search that finds nothing can be read, too', async () => {
  run('HARRIER', ['explore', 'leader', '--report', here('passed.html')]);
  const { page, unwanted } = await opened(here('passed.html'), { viewport: { width: 400, height: 800 } });
  await keepPicture(page, 'passed');

  assert.equal(await overflow(page), 0);
  assert.deepEqual(await complaints(page), []);
  assert.deepEqual(unwanted, []);
});
