/**
 * Two consecutive releases run on one schema, so a migration only adds. What is no longer read is removed one release later, and is
 * named here with the release that stopped reading it.
 */
import { expect, test } from '@jest/globals';
import { appNames } from '@store/contract';
import { migrationsOf } from '../local/apps.ts';

/** Before 0.1.0, of which no installation was ever updated. */
const removed = ['catalog 5-entities: rename column told_running', 'gateway 2-login-guesses: drop table gateway.login_failures'];

/** What an older process that still runs would miss, or could no longer write. An index `earlier_…` is dropped by the next release. */
const removing =
  /drop (?:table|column) [\w.]+|rename (?:column|to) (?!earlier_)\w+|alter column \w+ set not null|add column \w+ [^,;`]*not null(?![^,;`]*default)[^,;`]*/gi;

test('no migration removes, renames or demands what the release before uses', async () => {
  const found: string[] = [];
  for (const app of appNames) {
    for (const [name, Declared] of Object.entries(await migrationsOf(app))) {
      const migration = Reflect.construct(Declared, []);
      // The first makes the schema.
      if (name.startsWith('1-')) continue;
      migration.up();
      const text = migration.getQueries().map(String).join(';');
      const removals = [...text.matchAll(removing)].map(([what]) => what);
      // storeColumns fills a column before it demands it, and the release before has triggers for it (libs/db).
      const isDemand = (what: string) => !migration.isTransactional() && / set not null$/.test(what);
      found.push(...removals.filter((what) => !isDemand(what)).map((what) => `${app} ${name}: ${what}`));
    }
  }
  expect(found.sort()).toEqual(removed);
});
