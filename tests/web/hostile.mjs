// Whatever a program says, and however it names things, the page shows it as text.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { detail, explored, madeUp, opened, press, readTrace } from './pages.mjs';

const odd = explored('odd', ['odd-texts'], 'PROGRAMS');

/** Elements that only markup of the program's could have made, and what such markup would have done. */
const seized = (page) => page.evaluate(() => ({
  elements: [...document.querySelectorAll('img, iframe, object, a[href], math, h1 h1, script[src]')].map((e) => e.outerHTML.slice(0, 100)),
  scripts: document.scripts.length,
  title: document.title,
}));

test('Texts of a program are text', async () => {
  const { page, unwanted } = await opened(odd.page);
  await press(page, 'Home');
  const messages = new Set();
  for (let step = 1; step <= 10; ++step) {
    await press(page, 'j');
    messages.add((await page.locator('.detail h2').innerText()).replace(/^\d+\. /, ''));
  }

  for (const text of [
    'listener_0.hear("</script><script>document.title=\'seized\'</script>")', '; rm -rf /', '&lt;b&gt; <!-- --> ]]>', '@STORY@', '\\x1b[31mred',
    '\\u202ereversed\\u2028\\u2029', '<h1>it is wrong</h1>',
  ])
    assert.ok([...messages].some((m) => m.includes(text)), `${text} in ${[...messages].join('\n').slice(0, 3000)}`);
  assert.deepEqual(await seized(page), { elements: [], scripts: 2, title: 'odd-texts: harrier report' });
  assert.deepEqual(unwanted, []);
});

test('A text of a million characters is shown at length only when that is asked for', async () => {
  const { page, unwanted } = await opened(odd.page);
  await press(page, '/', 'x', 'x', 'x', 'x', 'Enter');

  assert.match(await page.locator('.detail h2').innerText(), /x… \([\d,]+ characters\)$/);
  assert.ok((await detail(page)).length < 5000);
  await page.getByRole('button', { name: /all 1,000,\d+ characters/ }).first().click();
  assert.ok((await detail(page)).length > 1_000_000);
  assert.deepEqual(unwanted, []);
});

test('Bytes that are no UTF-8 do not break the page', () => {
  const text = fs.readFileSync(odd.page);
  assert.doesNotThrow(() => new TextDecoder('utf-8', { fatal: true }).decode(text));
});

/** Names that mean something to somebody. */
const names = ['; rm -rf /', '<img src=x onerror=alert(1)>', '__proto__', 'constructor', 'a b', '', '\u202eevil', '\x00', '"\'`${x}', 'driver', 'toString_1'];

function traceOfNames() {
  const trace = readTrace(odd.trace);
  const [model] = trace.steps;
  const step = (name, i) => ({
    ...model, id: i === 0 ? 'start' : `${i}.0`, receiver: name, message: 'go()', state: `{of=${name}}`, event: '', creates: [`new ${name}`],
    sends: [{ message: 'go()', receiver: names[i + 1] ?? 'nobody' }, { message: 'late()', receiver: name }],
    faults: [`late() to ${name} is lost`, `${name} crashes after this step and stays away`],
    findings: i + 1 === names.length ? ['assertion: </h1><script>alert(1)</script>'] : [],
  });
  return {
    ...trace, program: '</title><script>alert(1)</script>', parameters: { '<b>': '</script>' },
    finding: { ...trace.finding, message: '<svg onload=alert(1)>', actor: names[1], file: '<i>.cpp', details: ['<iframe src="http://example.com">'] },
    steps: names.map(step),
  };
}

test('Names of actors are text, and nothing but names', async () => {
  const { page, unwanted } = await opened(madeUp('names', traceOfNames()));
  await press(page, 'Home');
  const said = [];
  for (let i = 0; i < names.length; ++i) {
    await press(page, 'j');
    said.push(await detail(page));
  }

  for (const [i, shown] of names.map((n) => n.replace('\u202e', '\\u202e').replace('\x00', '\\x00') || '(no name)').entries())
    assert.match(said[i], new RegExp(`State of ${shown.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`));
  const lanes = await page.locator('.strip .name').evaluateAll((all) => all.map((lane) => lane.title));
  assert.ok(lanes.includes(`${names[1]}: show its steps only, or all`), lanes.join('\n'));
  assert.deepEqual(await seized(page), { elements: [], scripts: 2, title: '</title><script>alert(1)</script>: harrier report' });
  assert.deepEqual(unwanted, []);
});

test('Actors of any name crash, and lose messages, in the picture', async () => {
  const { page } = await opened(madeUp('crashes', traceOfNames()), { viewport: { width: 1600, height: 1000 } });
  await page.evaluate(() => document.querySelector('.list').scrollTo(0, 0));

  assert.equal(await page.locator('svg.diagram .crash').count(), names.length);
  assert.equal(await page.locator('svg.diagram .stub.lost').count(), names.length);
});

test('The page forbids itself what a seized page would do', async () => {
  const { page } = await opened(odd.page);
  const forbidden = await page.evaluate(async () => {
    const seen = [];
    document.addEventListener('securitypolicyviolation', (event) => seen.push(event.effectiveDirective));
    const script = document.createElement('script');
    script.textContent = 'document.title = "seized"';
    document.body.append(script);
    const picture = new Image();
    picture.src = 'http://127.0.0.1:9/x.png';
    await fetch('http://127.0.0.1:9/').catch(() => undefined);
    await new Promise((done) => setTimeout(done));
    return { seen: seen.sort(), title: document.title };
  });

  assert.deepEqual(forbidden, { seen: ['connect-src', 'img-src', 'script-src-elem'], title: 'odd-texts: harrier report' });
});
