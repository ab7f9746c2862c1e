import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { processTable, settingsTable } from './settings-doc.ts';

test('docs/operations.md lists every setting as the apps declare it (node tools/dev/settings-doc.ts prints the table)', () => {
  const text = readFileSync(fileURLToPath(new URL('../../docs/operations.md', import.meta.url)), 'utf8');
  expect(text).toContain(settingsTable());
  expect(text).toContain(processTable());
});
