import { expect, test } from '@jest/globals';
import type { Message } from '@store/events';
import { inventory, shareInventory, staffMessage } from '../../test/inventory-under-test.ts';

shareInventory();

const named = (name: string, version?: number) => staffMessage(1, 42, name, version);

test('an older name that is sent again does not come back, in whatever order', async () => {
  const keeps = async (...messages: Message[]) => {
    await inventory.publish(...messages);
    const [row] = await inventory.db.read<{ name: string }>('select name from inventory.staff_users where store_id = $1 and id = 42', [1]);
    return row!.name;
  };
  expect(await keeps(named('Ada'))).toBe('Ada');
  expect(await keeps(named('Ada Byron', 5))).toBe('Ada Byron');
  expect(await keeps(named('Ada', 4))).toBe('Ada Byron');
  expect(await keeps(named('Ada Lovelace', 7), named('Ada King', 6))).toBe('Ada Lovelace');
  expect(await keeps(named('Ada'))).toBe('Ada Lovelace');
});
