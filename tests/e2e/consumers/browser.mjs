// Debian's Chromium, for tests that look at what harrier writes as people do.
import fs from 'node:fs';
import path from 'node:path';

/** The executable file; undefined: it is not installed. */
export function chromiumOnThePath() {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  return folders.map((folder) => path.join(folder, 'chromium')).find((file) => fs.existsSync(file));
}

/** A browser that asks nobody for anything on its own. `chromium` is that of playwright-core, from wherever it is installed. */
export function start(chromium, executablePath) {
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', ...quiet] });
}

/** What a page does that it must not, as it comes: requests other than of `own`, dialogs, errors. */
export function watch(page, own) {
  const unwanted = [];
  page.on('request', (request) => { if (request.url() !== own) unwanted.push(`asks for ${request.url().slice(0, 200)}`); });
  page.on('dialog', (dialog) => (unwanted.push(`opens ${dialog.message()}`), dialog.dismiss()));
  page.on('popup', () => unwanted.push('opens a window'));
  page.on('pageerror', (error) => unwanted.push(`throws ${error.message}`));
  page.on('console', (line) => { if (['error', 'warning'].includes(line.type())) unwanted.push(`logs ${line.text()}`); });
  return unwanted;
}
