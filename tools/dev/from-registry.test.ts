import { expect, test } from '@jest/globals';
import { staleFiles, withParts } from './from-registry.ts';

test('compose, alerts and tables are what the registry and settings give', () => {
  expect(staleFiles()).toEqual([]);
});

const yaml = `services:
  # By hand.
  # Written by npm run manifests: services.
  old: {}
  # End of services.
networks: {}
`;

test('a part is written between its marks, as deep as they are, and nothing around', () => {
  const written = yaml.replace('  old: {}', '  new:\n    image: one\n\n  other: {}');
  expect(withParts(yaml, { services: 'new:\n  image: one\n\nother: {}' })).toBe(written);
  const table = 'Before.\n\n<!-- Written by npm run manifests: table. -->\n<!-- End of table. -->\n\nAfter.\n';
  expect(withParts(table, { table: '| a |' })).toBe(table.replace('. -->\n', '. -->\n\n| a |\n\n'));
});

test('a part without marks, and marks without a part, are errors', () => {
  expect(() => withParts(yaml, { services: '', addresses: '' })).toThrow('Not marked: addresses.');
  expect(() => withParts(yaml, {})).toThrow('services is marked twice, or is not a part of this file.');
  expect(() => withParts(yaml + yaml, { services: '' })).toThrow('services is marked twice, or is not a part of this file.');
});
