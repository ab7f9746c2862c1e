/**
 * Two consecutive releases run on one schema, so a migration only adds. What is no longer read is removed one release later, and is
 * named here with the release that stopped reading it.
 */
import { expect, test } from '@jest/globals';
import { appNames } from '@store/contract';
import { migrationsOf } from '../local/apps.ts';

/** Before 0.1.0, of which no installation was ever updated. */
const removed = ['catalog 5-entities: rename column told_running', 'gateway 2-login-guesses: drop table gateway.login_failures'];

/** What an older process that still runs would miss, or could no longer write. */
const removing =
  /drop (?:table|column) [\w.]+|rename (?:column|to) \w+|alter column \w+ set not null|add column \w+ [^,;`]*not null(?![^,;`]*default)[^,;`]*/gi;

test('no migration removes, renames or demands what the release before uses', async () => {
  const found: string[] = [];
  for (const app of appNames) {
    for (const [name, Declared] of Object.entries(await migrationsOf(app))) {
      const migration = Reflect.construct(Declared, []);
      // The first makes the schema. Outside a transaction run indexes and storeColumns, which libs/db tests beside the release before.
      if (name.startsWith('1-') || !migration.isTransactional()) continue;
      migration.up();
      const text = migration.getQueries().map(String).join(';');
      found.push(...[...text.matchAll(removing)].map(([what]) => `${app} ${name}: ${what}`));
    }
  }
  expect(found.sort()).toEqual(removed);
});
