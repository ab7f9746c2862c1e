import { expect, test } from '@jest/globals';
import { integer, readConfig, setting } from './config.ts';

const settings = { PORT: setting(integer(0, 65_535), '3000', 'port of the API') };

test('a setting that is empty is one that is not set', () => {
  expect(readConfig(settings, { PORT: '' })).toEqual({ PORT: 3_000 });
  const required = { PORT: setting(integer(0, 65_535), undefined, 'port of the API') };
  expect(() => readConfig(required, { PORT: '' })).toThrow('PORT is required (port of the API)');
});

test.each(['none', '1.5', '-1', '65536'])('a number that is none, or out of range, is refused in words: %s', (PORT) => {
  const sentence = 'Bad configuration:\n  PORT must be a whole number from 0 to 65535 (port of the API)';
  expect(() => readConfig(settings, { PORT })).toThrow(new Error(sentence));
});
