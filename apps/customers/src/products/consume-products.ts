/** Listens to the catalogue: keeps the name of each product. */
import { type EntityManager, sql } from '@store/db';
import type { Message } from '@store/events';
import { newestOf } from '@store/service';

const names = new Set(['product.created', 'product.updated', 'product.deleted']);

/**
 * A change of a product's own fields has its audit part. What else updates it (stock, costs, the names of its brand and
 * categories, a promotion) leaves the name as it is: such an event is skipped without being decoded or a transaction.
 */
export function wantsProduct(message: Message): boolean {
  // Of `republish`.
  if (message.name === 'product.state') return true;
  if (!names.has(message.name) || message.public === null) return false;
  return message.name !== 'product.updated' || message.internal?.audit !== undefined;
}

export async function consumeProducts(em: EntityManager, messages: Message[]): Promise<void> {
  if (messages.length === 0) return;
  await sql(
    em,
    `insert into customers.products as p (store_id, id, name, deleted, version)
     select store_id, id, coalesce(name, ''), deleted, version
     from json_to_recordset($1::json) as x(store_id bigint, id bigint, name text, deleted boolean, version bigint)
     order by store_id, id
     on conflict (store_id, id) do update
       set name = case when excluded.name = '' then p.name else excluded.name end, deleted = excluded.deleted, version = excluded.version
     where p.version <= excluded.version`,
    [JSON.stringify(newestOf(messages.map(copyOf)))],
  );
}

interface Copy {
  store_id: number;
  id: number;
  /** null: it stays; a deleted product's event does not say it. */
  name: string | null;
  deleted: boolean;
  version: number;
}

/** Throws at an invalid product, so that it ends in dead_letters. */
function copyOf(message: Message): Copy {
  const copy = { store_id: message.storeId, version: message.version ?? 0 };
  if (message.name === 'product.state') return { ...copy, ...stateOf(message) };
  const { data } = JSON.parse(message.public!.toString()) as { data?: { id?: unknown; name?: unknown } };
  const name = message.name === 'product.deleted' ? null : data?.name;
  if (!Number.isSafeInteger(data?.id) || (name !== null && typeof name !== 'string')) throw new Error('the event has no product');
  return { ...copy, id: data!.id as number, name: name as string | null, deleted: name === null };
}

function stateOf({ internal }: Message): Pick<Copy, 'id' | 'name' | 'deleted'> {
  const { id, name, deleted } = internal?.product ?? {};
  if (!Number.isSafeInteger(id) || typeof name !== 'string') throw new Error('the message has no product');
  return { id: id!, name, deleted: deleted === true };
}
