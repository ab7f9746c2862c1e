/**
 * Two consecutive releases run on one schema, so a migration only adds. What is no longer read is removed one release later, and is
 * named here with the release that stopped reading it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { appNames } from '@store/contract';
import { repository } from '../local/data-dir.ts';

/** Before 0.1.0, of which no installation was ever updated. */
const removed = ['catalog 5-entities: rename column told_running', 'gateway 2-login-guesses: drop table gateway.login_failures'];

/** What an older process that still runs would miss, or could no longer write. */
const removing =
  /drop (?:table|column) [\w.]+|rename (?:column|to) \w+|alter column \w+ set not null|add column \w+ [^,;`]*not null(?![^,;`]*default)[^,;`]*/gi;

test('no migration removes, renames or demands what the release before uses', () => {
  const found = appNames.flatMap((app) => {
    const folder = path.join(repository, 'apps', app, 'src/migrations');
    // The first makes the schema.
    const files = readdirSync(folder).filter((file) => /^\d+-.*\.ts$/.test(file) && !file.startsWith('1-'));
    return files.flatMap((file) =>
      [...readFileSync(path.join(folder, file), 'utf8').matchAll(removing)].map(([what]) => `${app} ${file.slice(0, -3)}: ${what}`),
    );
  });
  expect(found.sort()).toEqual(removed);
});
