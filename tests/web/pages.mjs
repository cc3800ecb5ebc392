// Pages made by real binaries, opened from disk.
//
// Tests that import this are skipped, with a message, where npm's packages or Chromium are missing.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { pathToFileURL } from 'node:url';
import { chromiumOnThePath, start, watch } from '../e2e/consumers/browser.mjs';

const required = createRequire(new URL('../../web/package.json', import.meta.url));

function skipUnless(isThere, what) {
  if (isThere) return;
  console.log(`SKIPPED: ${what} not installed; scripts/setup web does that`);
  process.exit(0);
}

function installed(name) {
  try {
    return required(name);
  } catch {
    return undefined;
  }
}

const playwright = installed('playwright-core');
const executable = chromiumOnThePath();
skipUnless(playwright, "npm's packages of web/ are");
skipUnless(executable, 'chromium is');

/** The text of a package's script, to be run in a page. */
export const sourceOf = (file) => fs.readFileSync(required.resolve(file), 'utf8');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'harrier-web-'));
export const here = (name) => path.join(folder, name);
const browser = await start(playwright.chromium, executable);
after(async () => {
  await browser.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

/** Runs a binary that CMake names: HARRIER, say. */
export function run(binary, words, cwd = folder) {
  const { status, stdout, stderr } = spawnSync(process.env[binary], words, { cwd, encoding: 'utf8', maxBuffer: 1 << 28 });
  return { status, out: stdout, err: stderr };
}

/** The page and the trace file of the first finding of `explore WORDS`. */
export function explored(name, words, binary = 'HARRIER') {
  const made = { page: here(`${name}.html`), trace: here(`${name}.json`) };
  const { status, err } = run(binary, ['explore', ...words, '--report', made.page, '--save-trace', made.trace]);
  if (status !== 1) throw new Error(`explore ${words.join(' ')} ended with ${status}: ${err}`);
  return made;
}

/** The page of a trace file that is replayed. */
export function replayed(name, binary = 'HARRIER') {
  const { status, err } = run(binary, ['replay', here(`${name}.json`), '--report', here(`${name}.html`)]);
  if (status !== 1) throw new Error(`replay ended with ${status}: ${err}`);
  return here(`${name}.html`);
}

/** The page of a trace that is made up, and of another order beside it. */
export function madeUp(name, ...traces) {
  const files = traces.map((trace, i) => here(`${name}.${i}.json`));
  traces.forEach((trace, i) => fs.writeFileSync(files[i], JSON.stringify(trace)));
  const { status, out, err } = run('PAGE_OF', files);
  if (status !== 0) throw new Error(err);
  fs.writeFileSync(here(`${name}.html`), out);
  return here(`${name}.html`);
}

export const readTrace = (file) => JSON.parse(fs.readFileSync(file, 'utf8'));

const plain = await browser.newContext();

/** Opens a page from disk. What it does that it must not is in `unwanted`; see playwright for what `looks` can be. */
export async function opened(file, looks) {
  const page = looks ? await browser.newPage(looks) : await plain.newPage();
  const own = pathToFileURL(file).href;
  const unwanted = watch(page, own);
  await page.goto(own);
  return { page, unwanted };
}

/** `4 / 6`: the selected step. */
export const position = (page) => page.locator('.position').innerText();

/** What a screen reader says of the selected step. */
export const spoken = (page) =>
  page.locator('[role=listbox]').first().evaluate((list) => document.getElementById(list.getAttribute('aria-activedescendant'))?.textContent.trim());

/** What stands beside the diagram. */
export const detail = (page) => page.locator('.detail').innerText();

export async function press(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}
