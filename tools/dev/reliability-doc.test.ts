/** docs/reliability.md for operators: its promises are short, and each is held by tests. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const doc = new URL('../../docs/reliability.md', import.meta.url);
const text = readFileSync(doc, 'utf8');
const linksOf = (part: string) => [...part.matchAll(/\]\(([^)#]+)/g)].map(([, link]) => link!);
const rows = text
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| Promise |'))
  .map((line) => line.slice(2, -2).split(' | '));

test('each promise is one sentence, says what it rests on, and names at least one test', () => {
  expect(rows.length).toBeGreaterThan(20);
  for (const [promise, restsOn, tests, ...more] of rows) {
    expect(promise).toMatch(/^[A-Z][^.]*\.$/);
    expect(restsOn).toMatch(/\.$/);
    const links = linksOf(tests!);
    expect({ promise, named: links.length > 0 && links.every((link) => link.endsWith('.test.ts')), more }).toEqual({
      promise,
      named: true,
      more: [],
    });
  }
});

test('it says what is not promised', () => {
  expect(text).toContain('\n## What is not promised\n');
});
