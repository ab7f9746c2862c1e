import { expect, test } from '@jest/globals';
import { BadConfig, describeSettings, integer, readConfig, serviceSettings, setting, text } from './config.ts';

const settings = { PORT: setting(integer(0, 65_535), '3000', 'port of the API'), NAME: setting(text, undefined, 'name of the store') };

test('a configuration shows every default and is frozen; an empty setting is not set', () => {
  for (const env of [{ NAME: 'x' }, { NAME: 'x', PORT: '' }]) {
    const config = readConfig(settings, env);
    expect(config).toEqual({ PORT: 3000, NAME: 'x' });
    expect(Object.isFrozen(config)).toBe(true);
  }
  expect(() => readConfig(settings, { NAME: '' })).toThrow('NAME is required (name of the store)');
});

test('one that is invalid stops the start and names every invalid variable', () => {
  const start = () => readConfig(settings, { PORT: '99999' });
  expect(start).toThrow(BadConfig);
  expect(start).toThrow(/PORT[\s\S]*NAME is required/);
});

test.each(['none', '1.5', '-1', '65536'])('a number that is none, or out of range, is refused in words: %s', (PORT) => {
  const sentence = 'Bad configuration:\n  PORT must be a whole number from 0 to 65535 (port of the API)';
  expect(() => readConfig(settings, { PORT, NAME: 'x' })).toThrow(new Error(sentence));
});

test('the help says which variables are required and what the others default to', () => {
  expect(describeSettings(settings)).toMatch(/PORT +port of the API \(default 3000\)\n +NAME +name of the store \(required\)/);
});

test("a database URL that is not PostgreSQL's is refused", () => {
  expect(() => readConfig(serviceSettings, { DATABASE_URL: 'mysql://x' })).toThrow('must be a postgres:// URL');
});
