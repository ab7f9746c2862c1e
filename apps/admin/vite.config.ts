/** The build of the panel: files of its own under /admin/, no inline script, a manifest from which the size budget is checked. */
import { defineConfig } from 'vite';

export default defineConfig({
  base: '/admin/',
  oxc: { jsx: { runtime: 'automatic' } },
  build: {
    target: 'es2023',
    manifest: 'manifest.json',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The budget of the first page is checked by a test (tests/browser), from the files as they are sent.
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      // The component library marks its files for server components, which there are none of here.
      checks: { moduleLevelDirective: false },
      output: {
        codeSplitting: {
          groups: [
            // Nothing that says a text is loaded before the language is known.
            { name: 'language', test: /src.language.[tl]/, priority: 2 },
            // What many pages use is one file, and what two use another: small ones compress worse.
            { name: 'base', minShareCount: 3, priority: 1 },
            { name: 'pairs', test: /@mantine|@floating|src.(parts|api|format|register|stock|sales)/, minShareCount: 2 },
            // The small pages about goods: each alone compresses worse.
            { name: 'goods', test: /src.(purchasing|suppliers|categories|promotions|stock)/ },
          ],
        },
      },
    },
  },
  server: { port: 5173, strictPort: true },
});
