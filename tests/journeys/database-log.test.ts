/** PostgreSQL logs statements that fail: neither their text nor the refused row may show a password's hash or a customer. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { useWorld } from '../kit/use.ts';

const world = await useWorld({}, { purgeOldEvents: true });

/** What PostgreSQL has logged: the test server writes beside its data. */
async function databaseLog(): Promise<string> {
  const { rows } = await world.database.query<{ data_directory: string }>('show data_directory');
  return readFileSync(`${rows[0]!.data_directory}.log`, 'utf8');
}

const unique = () => `canary-${randomBytes(8).toString('hex')}`;

/** What tables are made to refuse, and the requests that write into them. */
const refused: [table: string, path: string, wrapper: string, (canary: string) => Record<string, unknown>][] = [
  [
    'gateway.staff_users',
    '/staff_users',
    'staff_user',
    (canary) => ({ name: canary, email: `${canary}@log.example`, password: `${canary} battery staple`, role: 'clerk' }),
  ],
  ['customers.customers', '/customers', 'customer', (canary) => ({ name: canary, email: `${canary}@log.example`, notes: canary })],
  ['sales.gift_cards', '/gift_cards', 'gift_card', (canary) => ({ amount: 5, card_number: canary, recipient_name: canary })],
];

test.each(refused)('a row that %s refuses leaves none of its values in the log', async (...given) => {
  const [table, path, wrapper, values] = given;
  const canary = unique();
  const send = () => world.call('POST', path, { token: world.store.token, body: { [wrapper]: values(canary) } });
  const name = `log_${canary.replace('-', '_')}`;
  await world.database.query(`alter table ${table} add constraint ${name} check (id < 0) not valid`);
  // A busy machine may answer 500 before the row was sent; the row is sent again until the database refused it.
  do expect((await send()).status).toBe(500);
  while (!(await databaseLog()).includes(name));
  await world.database.query(`alter table ${table} drop constraint ${name}`);
  const away = `${name}_away`;
  await world.database.query(`alter table ${table} rename to ${away}`);
  expect((await send()).status).toBe(500);
  await world.database.query(`alter table ${table.split('.')[0]}.${away} rename to ${table.split('.')[1]}`);
  const logged = await databaseLog();
  expect(
    logged
      .toLowerCase()
      .split('\n')
      .filter((line) => line.includes(canary)),
  ).toEqual([]);
  expect(world.logged().filter((line) => JSON.stringify(line).toLowerCase().includes(canary))).toEqual([]);
});
