import './mantine.css';
import './panel.css';
import { loadLanguage } from './language/load.ts';
import { sayMissing } from './language/say-missing.ts';

try {
  await loadLanguage();
  // Its files say their texts as they are loaded.
  await import('./app.tsx');
} catch {
  sayMissing(document.getElementById('root')!);
}
