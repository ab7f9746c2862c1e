import './mantine.css';
import './panel.css';
import { loadLanguage } from './language/load.ts';
import { t } from './language/t.ts';

/** In the place of the panel when one of its first files did not come; the language of it may be such a file. */
function sayMissing(root: HTMLElement): void {
  const title = Object.assign(document.createElement('h1'), { textContent: t('This page could not be loaded') });
  const why = t('The store does not answer, or a new version of the panel is being installed.');
  const again = Object.assign(document.createElement('button'), { textContent: t('Try again'), type: 'button' });
  again.addEventListener('click', () => window.location.reload());
  const main = document.createElement('main');
  main.className = 'missing';
  main.append(title, Object.assign(document.createElement('p'), { textContent: why }), again);
  root.replaceChildren(main);
}

try {
  await loadLanguage();
  // Its files say their texts as they are loaded.
  await import('./app.tsx');
} catch {
  sayMissing(document.getElementById('root')!);
}
