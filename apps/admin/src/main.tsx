import './mantine.css';
import './panel.css';
import { loadLanguage } from './language/load.ts';

await loadLanguage();
// Its files say their texts as they are loaded.
await import('./app.tsx');
