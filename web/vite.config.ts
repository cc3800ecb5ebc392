import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Which page is built: index.html or explorer.html. Only the second asks the network, the server that it came from. */
const page = process.env['HARRIER_PAGE'] ?? 'index';
const mayAsk = page === 'explorer' ? "; connect-src 'self'; img-src data:" : '';

/** One file: the script and the style stand in the page, and the page allows itself these two and nothing else. */
function oneFile(): Plugin {
  return {
    name: 'one-file',
    enforce: 'post',
    generateBundle(_, bundle) {
      const page = Object.values(bundle).find((f) => f.fileName.endsWith('.html'));
      if (page?.type !== 'asset') throw new Error('there is no page');
      let [script, style] = ['', ''];
      for (const file of Object.values(bundle)) {
        if (file.type === 'chunk') script += file.code;
        else if (file.fileName.endsWith('.css')) style += String(file.source);
        else continue;
        delete bundle[file.fileName];
      }
      script = script.trim().replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
      const policy = `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(style)}; base-uri 'none'; form-action 'none'${mayAsk}`;
      page.source = String(page.source)
        .replace(/\s*<script type="module"[^>]*><\/script>/, '')
        .replace(/\s*<link rel="(stylesheet|modulepreload)"[^>]*>/g, '')
        .replace('<meta charset="utf-8">', () => `<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="${policy}">`)
        .replace('</head>', () => `<style>${style}</style>\n</head>`)
        .replace('</body>', () => `<script>${script}</script>\n</body>`);
    },
  };
}

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [oneFile()],
  build: {
    target: 'es2022',
    outDir: process.env['HARRIER_PAGE_FOLDER'] ?? 'dist',
    emptyOutDir: true,
    modulePreload: false,
    cssCodeSplit: false,  // else the script would make the style element, which the policy forbids
    rolldownOptions: { input: fileURLToPath(new URL(`${page}.html`, import.meta.url)), output: { format: 'iife' } },
  },
});
