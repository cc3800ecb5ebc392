// Draws each Mermaid file as a page would, in Debian's Chromium, and prints what can be read in each picture as JSON: a
// list of {file, texts, elements, error}. What the picture asks of the network or runs as a script is an error.
//
// usage: node mermaid.mjs CHROMIUM FILE...
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';
import { start, watch } from './browser.mjs';

const [executablePath, ...files] = process.argv.slice(2);
const library = createRequire(import.meta.url).resolve('mermaid').replace(/[^/]*$/, 'mermaid.min.js');
const browser = await start(chromium, executablePath);
const pictures = [];
for (const file of files) {
  const page = await browser.newPage();
  const unwanted = watch(page);
  await page.setContent('<!doctype html><meta charset="utf-8"><div id="here"></div>');
  await page.addScriptTag({ path: library });
  const picture = await page.evaluate(async (text) => {
    try {
      globalThis.mermaid.initialize({ startOnLoad: false });
      const { svg } = await globalThis.mermaid.render('picture', text);
      const here = document.getElementById('here');
      here.innerHTML = svg;
      const texts = [...here.querySelectorAll('text')].map((t) => t.textContent);
      const elements = [...new Set([...here.querySelectorAll('*')].map((e) => e.localName))].sort();
      return { texts, elements };
    } catch (e) {
      return { error: String(e) };
    }
  }, fs.readFileSync(file, 'utf8'));
  if (process.env.PICTURES) await page.screenshot({ path: `${file}.png`, fullPage: true });
  pictures.push({ file, unwanted, ...picture });
  await page.close();
}
await browser.close();
console.log(JSON.stringify(pictures));
