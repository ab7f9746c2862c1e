import { type EntityManager, type Row, raced, sql } from '@store/db';
import { invalid } from '@store/problem';
import type { ReceivedProduct__Output } from '@store/protos/catalog/v1.ts';
import { change } from '@store/service';
import type { Catalog, Verb } from '../catalog.ts';
import { emitProducts, type ProductChange } from '../products/emit-products.ts';
import { filled, newDraft } from '../products/product.columns.ts';
import { insertProducts } from '../products/write-products.ts';
import { tables } from '../tables.ts';
import type { LineProduct } from './received-line.ts';

/**
 * Asked by purchasing before it commits a receipt (D243): each line gets the product that was made for it, else one that is
 * not deleted and has its sku, else a new one as by POST /products, inactive: it
 * has no price yet (D269).
 */
export const createReceivedProducts: Verb<'CreateReceivedProducts'> = async (app, request, call) => {
  // By line, not by the caller's Idempotency-Key: its repetition may ask for further lines.
  const { idempotency: _ofThePurchase, ...caller } = call.caller;
  const { storeId } = caller;
  const lines = (request.lines ?? []).map(lineOf).sort((a, b) => a.lineId - b.lineId);
  return change(app, { ...call, caller }, async (em) => {
    const productIds = await earlierProductIds(em, storeId, lines);
    const open = lines.filter((line) => !productIds.has(line.lineId));
    const created: ProductChange[] = [];
    for (const [lineId, productId] of await productsFor(em, app, storeId, open, created)) productIds.set(lineId, productId);
    await recordProductIds(em, storeId, productIds);
    await emitProducts(em, app, caller, created);
    const products = await shown(em, storeId, [...productIds.values()]);
    return { products: lines.map(({ lineId }) => ({ line_id: lineId, product: products.get(productIds.get(lineId)!)! })) };
  });
};

interface Line {
  lineId: number;
  name: string;
  sku: string | null;
  unitType: string;
}

function lineOf({ line_id, name, sku, unit_type }: ReceivedProduct__Output): Line {
  return { lineId: Number(line_id), name: name ?? '', sku: sku ?? null, unitType: unit_type ?? 'unit' };
}

/** Products by line, as far as they are not deleted. The lines' rows are locked, so that a line asked for twice waits. */
async function earlierProductIds(em: EntityManager, storeId: number, lines: Line[]): Promise<Map<number, number>> {
  const ids = lines.map((line) => line.lineId);
  await sql(
    em,
    'insert into catalog.line_products (store_id, line_id) select $1, unnest($2::bigint[]) on conflict (store_id, line_id) do nothing',
    [storeId, ids],
  );
  const known = await sql<Pick<Row<typeof LineProduct>, 'line_id' | 'product_id'>>(
    em,
    'select line_id, product_id from catalog.line_products where store_id = $1 and line_id = any ($2::bigint[]) order by line_id for update',
    [storeId, ids],
  );
  const living = await shown(
    em,
    storeId,
    known.flatMap(({ product_id }) => product_id ?? []),
  );
  return new Map(known.flatMap(({ line_id, product_id }) => (living.has(product_id ?? 0) ? [[line_id, product_id!]] : [])));
}

/** How often a sku that another transaction took meanwhile is looked for again. */
const passesMax = 5;

async function productsFor(em: EntityManager, app: Catalog, storeId: number, lines: Line[], created: ProductChange[]) {
  const found = new Map<number, number>();
  const insert = async (line: Line): Promise<number | undefined> => {
    const draft = newDraft({ name: line.name, sku: line.sku, unit_type: line.unitType, active: false, awaits_price: true });
    const id = (await insertProducts(em, storeId, app.db.clock.now(), [draft], new Map())).get(line.sku);
    if (id !== undefined) created.push({ id, name: 'product.created', action: 'product.create', after: filled(draft) });
    return id;
  };
  for (const line of lines) {
    for (let pass = 1; !found.has(line.lineId); pass++) {
      if (pass > passesMax) throw raced('sku');
      const id = (await idBySku(em, storeId, line.sku)) ?? (await insert(line));
      if (id !== undefined) found.set(line.lineId, id);
    }
  }
  return found;
}

async function idBySku(em: EntityManager, storeId: number, sku: string | null): Promise<number | undefined> {
  if (sku === null) return undefined;
  const products = tables.selectFrom('products').select(['id', 'has_variations']).where('store_id', '=', storeId).where('sku', '=', sku);
  const [product] = await sql(em, products.where('deleted_at', 'is', null));
  // Its stock is the sum of its variations (D51): what arrived would not be seen.
  if (product?.has_variations) throw invalid([`Product ${sku} has variations; name one of them`]);
  return product?.id;
}

async function recordProductIds(em: EntityManager, storeId: number, productIds: Map<number, number>): Promise<void> {
  await sql(
    em,
    `update catalog.line_products kept set product_id = x.product_id from unnest($2::bigint[], $3::bigint[]) as x(line_id, product_id)
     where kept.store_id = $1 and kept.line_id = x.line_id`,
    [storeId, [...productIds.keys()], [...productIds.values()]],
  );
}

async function shown(em: EntityManager, storeId: number, ids: number[]) {
  const products = tables
    .selectFrom('products')
    .select(['id', 'name', 'sku', 'product_type', 'has_variations', 'price', 'unit_type'])
    .where('store_id', '=', storeId)
    .where('deleted_at', 'is', null);
  const found = await sql(
    em,
    products.where((eb) => eb('id', '=', eb.fn.any(eb.val(ids)))),
  );
  return new Map(found.map((row) => [row.id, { ...row, sku: row.sku ?? undefined }]));
}
