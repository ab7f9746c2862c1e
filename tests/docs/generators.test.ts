/**
 * Generated clients against the running product: `npm run generators` tries all three; `npm test` openapi-typescript alone, where npm
 * can install it.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openWorld, type World } from '../kit/world.ts';
import { type Generator, generators, run, toolOf } from './generators.ts';

const wanted = (process.env.STORE_GENERATORS ?? 'typescript').split(',') as (keyof typeof generators)[];
const tools = await Promise.all(wanted.map(async (language) => ({ language, ...(await toolOf(language)) })));
const usable = tools.filter((tool) => tool.missing === undefined);
const withinMs = 300_000;

let world: World;
let key: string;
beforeAll(async () => {
  if (usable.length === 0) return;
  world = await openWorld();
  key = await world.newKey(world.store);
}, withinMs);
afterAll(() => world?.close());

describe.each(tools)('$language', ({ language, folder, missing }) => {
  const generator = generators[language];
  (missing === undefined ? test : test.skip)(
    `${generator.name} makes a client without a warning, which compiles, upserts, follows the pages and reads a 422${missing ? ` (skipped: ${missing})` : ''}`,
    () => tryClient(generator, folder),
    withinMs,
  );
});

async function tryClient(generator: Generator, folder: string): Promise<void> {
  const { text } = await world.call('GET', '/openapi.json');
  writeFileSync(path.join(folder, 'openapi.json'), text);
  for (const step of generator.steps(folder)) {
    const { status, output } = await run(step, folder);
    expect([step, status, output, /warn/i.test(output)]).toEqual([step, 0, output, false]);
  }
  const { status, output } = await run(generator.program(folder), folder, { STORE_URL: world.baseUrl, STORE_KEY: key });
  expect([status, output]).toEqual([0, output]);
  const { prefix } = generator;
  expect(JSON.parse(output)).toEqual({
    created: 3,
    listed: ['A', 'B', 'C'].map((name) => `${prefix}-${name} 1.50`),
    status: 422,
    error: "Validation failed: Name can't be blank",
  });
}
