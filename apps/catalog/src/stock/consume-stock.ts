/** Listens to inventory: what ApplyStock could not deliver arrives here, through the same handler. */
import type { Db, Row } from '@store/db';
import { isPositive, type Message } from '@store/events';
import type { Product } from '../products/product.ts';
import type { Level } from './apply-stock.ts';

export function wantsStock(message: Message): boolean {
  return message.internal?.stock !== undefined;
}

/** The levels that ApplyStock has not delivered, almost none: it is called before the adjustment is answered. */
export async function unappliedStock(db: Db, messages: Message[]): Promise<Message[]> {
  const levels = new Map(messages.flatMap((message) => (isLevel(message.internal?.stock) ? [[message, message.internal.stock]] : [])));
  if (levels.size === 0) return messages;
  // Text, as it runs for every batch of adjustments.
  const rows = await db.read<Pick<Row<typeof Product>, 'id' | 'store_id' | 'stock_version'>>(
    'select id, store_id, stock_version from catalog.products where store_id = any ($1::bigint[]) and id = any ($2::bigint[])',
    [[...new Set(messages.map(({ storeId }) => storeId))], [...levels.values()].map(({ product_id }) => product_id)],
  );
  const versions = new Map(rows.map((row) => [`${row.store_id}:${row.id}`, row.stock_version]));
  return messages.filter((message) => {
    const level = levels.get(message);
    return !level || (versions.get(`${message.storeId}:${level.product_id}`) ?? -1) < level.version;
  });
}

/** Throws at an invalid level, so that it ends in dead_letters. */
export function levelOf({ internal }: Message): Level {
  const level: unknown = internal!.stock;
  if (!isLevel(level)) throw new Error('the event has no stock level');
  return level;
}

function isLevel(level: unknown): level is Level {
  const { product_id, stock, version } = (level ?? {}) as Partial<Record<keyof Level, unknown>>;
  return isPositive(product_id) && isPositive(version) && typeof stock === 'string' && /^-?\d{1,11}(\.\d{1,3})?$/.test(stock);
}
