/** Products, categories, brands and settings, read. */
import { areaOf } from '../check.ts';
import type { Kit } from '../kit.ts';
import { before, holds, Skip, same } from '../outcome.ts';

const { read } = areaOf('products');

const scopes = ['products:read'];
const list = '/products?per_page=100';
const two = /^-?\d+\.\d{2}$/;

interface Product {
  id: number;
  name: string;
  sku?: string;
  barcode?: string;
  price: string;
  effective_price: string;
  on_sale: boolean;
  current_stock: number;
  in_stock: boolean;
  active: boolean;
  has_variations: boolean;
  brand?: string;
  variations: { id: number; name: string; sku: string | null; current_stock: number }[];
  categories: { id: number; name: string; slug: string }[];
  additional_barcodes: { code: string }[];
  additional_barcode_codes: string[];
  updated_at: string;
}

const products = (kit: Kit, path = list): Promise<Product[]> => kit.data(path);

async function firstWith(kit: Kit, what: string, has: (product: Product) => boolean): Promise<Product> {
  const found = (await products(kit)).find(has);
  if (!found) throw new Skip(`none of the first 100 products has ${what}`);
  return found;
}

const each = (subject: string, sentence: string, look: (product: Product) => void) =>
  read(subject, sentence, scopes, async (kit) => {
    for (const product of await products(kit)) look(product);
  });

const find = (subject: string, sentence: string, what: string, path: (product: Product) => string, has: (product: Product) => boolean) =>
  read(subject, sentence, scopes, async (kit) => {
    const product = await firstWith(kit, what, has);
    const found = await products(kit, path(product));
    holds(
      found.some(({ id }) => id === product.id),
      `product ${product.id} is not in GET ${path(product)}`,
    );
  });

const nothing = (query: string, sentence: string) =>
  read(`GET /products?${query}`, sentence, scopes, async (kit) => same('data', await kit.data(`/products?${query}`), []));

const ignored = (query: string, sentence: string) =>
  read(`GET /products?${query}`, sentence, scopes, async (kit) => {
    const [all, filtered] = [await kit.get('/products'), await kit.get(`/products?${query}`)];
    same('status and total', [filtered.status, filtered.body.pagination?.total_count], [200, all.body.pagination.total_count]);
  });

const term = (text: string) => encodeURIComponent(text);

export const productChecks = [
  read('GET /products', 'Lists active products sorted by name, by code point; ties by id.', scopes, async (kit) => {
    const rows = await products(kit);
    for (const [index, next] of rows.slice(1).entries()) {
      const row = rows[index]!;
      const inOrder = row.name === next.name ? row.id < next.id : before(row.name, next.name);
      holds(inOrder, `"${row.name}" (${row.id}) is before "${next.name}" (${next.id})`);
    }
  }),
  each('GET /products', 'Lists active products only.', ({ id, active }) => same(`active of product ${id}`, active, true)),
  each('GET /products', 'Money of products is text with exactly two decimals.', ({ id, price, effective_price }) =>
    holds(two.test(price) && two.test(effective_price), `product ${id} has the prices ${JSON.stringify([price, effective_price])}`),
  ),
  each('GET /products', 'Fields of a product that have no value are left out, not null.', (product) =>
    same(
      `fields of product ${product.id} that are null`,
      Object.entries(product).filter(([, value]) => value === null),
      [],
    ),
  ),
  each('GET /products', 'in_stock says that current_stock is above 0.', ({ id, current_stock, in_stock }) =>
    same(`in_stock of product ${id}, of which there are ${current_stock}`, in_stock, current_stock > 0),
  ),
  each('GET /products', 'on_sale says that effective_price is below price.', ({ id, price, effective_price, on_sale }) =>
    same(`on_sale of product ${id} (${price}, ${effective_price})`, on_sale, Number(effective_price) < Number(price)),
  ),
  each('GET /products', 'variations is empty unless has_variations is true.', ({ id, has_variations, variations }) =>
    holds(has_variations || variations.length === 0, `product ${id} has variations although has_variations is false`),
  ),
  each('GET /products', 'additional_barcode_codes are the codes of additional_barcodes.', (product) =>
    same(
      `codes of product ${product.id}`,
      product.additional_barcode_codes,
      product.additional_barcodes.map(({ code }) => code),
    ),
  ),
  read('GET /products', "The stock of a product with variations is the sum of its active variations'.", scopes, async (kit) => {
    const product = await firstWith(kit, 'variations', ({ variations }) => variations.length > 0);
    const sum = product.variations.reduce((total, { current_stock }) => total + current_stock, 0);
    holds(Math.abs(sum - product.current_stock) < 0.001, `product ${product.id} has ${product.current_stock}, its variations ${sum}`);
  }),
  read('GET /products', 'Without search, updated_since, sku or barcode only top-level products are listed.', scopes, async (kit) => {
    const rows = await products(kit);
    const nested = new Set(rows.flatMap(({ variations }) => variations.map(({ id }) => id)));
    same(
      'variations that are rows too',
      rows.filter(({ id }) => nested.has(id)).map(({ id }) => id),
      [],
    );
  }),
  read('GET /products?sku=', 'With sku a variation is a row of its own.', scopes, async (kit) => {
    const product = await firstWith(kit, 'a variation with a sku', ({ variations }) =>
      variations.some(({ sku }) => sku && !sku.includes(',')),
    );
    const variation = product.variations.find(({ sku }) => sku && !sku.includes(','))!;
    const found = await products(kit, `/products?sku=${term(variation.sku!)}`);
    same(
      'ids',
      found.map(({ id }) => id),
      [variation.id],
    );
  }),
  read('GET /products/:id', 'GET /products/:id answers one product in the shape of the list.', scopes, async (kit) => {
    const product = await firstWith(kit, 'an id', () => true);
    const one = await kit.send('GET', `/products/${product.id}`);
    same('status and id', [one.status, one.body?.data?.id], [200, product.id]);
    if (one.body.data.updated_at === product.updated_at) same('the product', one.body.data, product);
  }),
  find(
    'GET /products?search=',
    'search matches the name.',
    'a name',
    ({ name }) => `/products?per_page=100&search=${term(name)}`,
    () => true,
  ),
  find(
    'GET /products?search=',
    'search ignores case.',
    'a name',
    ({ name }) => `/products?per_page=100&search=${term(name.toUpperCase())}`,
    ({ name }) => /^[\x20-\x7e]+$/.test(name),
  ),
  find(
    'GET /products?search=',
    'search matches the sku.',
    'a sku',
    ({ sku }) => `/products?per_page=100&search=${term(sku!)}`,
    ({ sku }) => sku !== undefined,
  ),
  find(
    'GET /products?search=',
    'search matches the barcode.',
    'a barcode',
    ({ barcode }) => `/products?per_page=100&search=${term(barcode!)}`,
    ({ barcode }) => barcode !== undefined,
  ),
  find(
    'GET /products?sku=',
    'sku finds products by their exact sku.',
    'a sku',
    ({ sku }) => `/products?sku=${term(sku!)}`,
    ({ sku }) => sku !== undefined && !sku.includes(','),
  ),
  find(
    'GET /products?barcode=',
    'barcode finds products by their exact barcode.',
    'a barcode',
    ({ barcode }) => `/products?barcode=${term(barcode!)}`,
    ({ barcode }) => barcode !== undefined,
  ),
  find(
    'GET /products?brand=',
    'brand filters by the exact name of the brand.',
    'a brand',
    ({ brand, name }) => `/products?per_page=100&brand=${term(brand!)}&search=${term(name)}`,
    ({ brand }) => brand !== undefined,
  ),
  find(
    'GET /products?category=',
    'category filters by the slug of a category.',
    'a category',
    ({ categories, name }) => `/products?per_page=100&category=${categories[0]?.slug}&search=${term(name)}`,
    ({ categories }) => categories.length > 0,
  ),
  read('GET /products?sku=', 'More than 100 skus are a 422.', scopes, async (kit) => {
    const answer = await kit.send('GET', `/products?sku=${Array.from({ length: 101 }, (_, n) => `x${n}`).join()}`);
    same('status and text', [answer.status, answer.body?.error], [422, 'at most 100 skus per request']);
  }),
  nothing('brand=conform-no-such-brand', 'An unknown brand finds nothing.'),
  nothing('category=conform-no-such-category', 'An unknown category finds nothing.'),
  nothing('revenue_center_id=999999999', 'An unknown revenue center finds nothing.'),
  nothing('search=conform-no-such-text', 'A search that matches nothing is an empty list.'),
  nothing('search=%25conform%25', 'search takes %, _ and \\ literally.'),
  nothing('sku=conform-no-such-sku', 'An unknown sku finds nothing.'),
  nothing('updated_since=2999-01-01T00:00:00Z', 'updated_since finds what changed after it.'),
  ignored('brand=', 'A blank brand is no filter.'),
  ignored('sku=', 'A blank sku is no filter.'),
  ignored('revenue_center_id=abc', 'A revenue_center_id that is no number is ignored.'),
  read('GET /products?updated_since=never', 'An updated_since that cannot be read is ignored.', scopes, async (kit) => {
    const answer = await kit.get('/products?updated_since=never&per_page=1');
    same('status and rows', [answer.status, answer.body.data.length > 0], [200, (await products(kit)).length > 0]);
  }),
  read('GET /products?updated_since=', 'updated_since is exclusive.', scopes, async (kit) => {
    const product = await firstWith(kit, 'a time of change', () => true);
    const after = await products(kit, `/products?per_page=100&updated_since=${product.updated_at}`);
    same(
      `products with updated_at ${product.updated_at} or earlier`,
      after
        .filter(({ id, updated_at, variations }) => id === product.id && updated_at <= product.updated_at && variations.length === 0)
        .map(({ id }) => id),
      [],
    );
  }),
];
