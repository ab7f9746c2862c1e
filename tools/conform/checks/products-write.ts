/** POST /products. */
import { areaOf } from '../check.ts';
import { newProduct, productScopes as scopes } from '../made.ts';
import { same } from '../outcome.ts';

const { write } = areaOf('products-write');

const wrapperRule = 'A body without the product object is 400 "param is missing or the value is empty: product".';
const invalidRule = 'A failed validation is 422 with error and errors by field.';
const roundRule = 'Money may be sent as text or number; more than two decimals are rounded half-up.';

const invalid: [string, object, Record<string, string[]>][] = [
  ['no name', { price: '1.00' }, { name: ["can't be blank"] }],
  ['a blank name', { name: ' ' }, { name: ["can't be blank"] }],
  ['a price that is no number', { name: 'x', price: 'x' }, { price: ['is not a number'] }],
  ['a negative price', { name: 'x', price: '-1' }, { price: ['must be greater than or equal to 0'] }],
];

const prices: [unknown, string][] = [
  ['3.395', '3.40'],
  [3.394, '3.39'],
  ['2', '2.00'],
  [0, '0.00'],
];

export const productWriteChecks = [
  write('POST /products', 'A created product is 201 with data as the product; the next read shows it.', scopes, async (kit) => {
    const made = await newProduct(kit);
    const read = await kit.send('GET', `/products/${made.id}`);
    same('status and product', [read.status, read.body?.data], [200, made]);
  }),
  write('POST /products', 'current_stock is not writable: a new product starts at 0.', scopes, async (kit) => {
    const { current_stock } = await newProduct(kit, { current_stock: 9 });
    same('current_stock', current_stock, 0);
  }),
  write(
    'POST /products',
    'A new product has product_type simple, unit_type unit, price 0.00 and is active, unless it says otherwise.',
    scopes,
    async (kit) => {
      const made = (await newProduct(kit, { price: undefined })) as unknown as Record<string, unknown>;
      same('its defaults', [made.product_type, made.unit_type, made.price, made.active], ['simple', 'unit', '0.00', true]);
    },
  ),
  write('POST /products', 'Fields that a key may not write are ignored.', scopes, async (kit) => {
    const made = (await newProduct(kit, { id: 1, category_ids: [1], on_sale: true, conform_x: 1 })) as unknown as Record<string, unknown>;
    same('categories, on_sale and conform_x', [made.categories, made.on_sale, made.conform_x], [[], false, undefined]);
  }),
  write('POST /products', 'Fields without a value are left out of the new product.', scopes, async (kit) => {
    const made = await newProduct(kit, { barcode: '', description: null });
    same(
      'blank fields that are there',
      ['barcode', 'description'].filter((name) => name in made),
      [],
    );
  }),
  ...prices.map(([sent, shown]) =>
    write(`POST /products with the price ${JSON.stringify(sent)}`, roundRule, scopes, async (kit) =>
      same('price', (await newProduct(kit, { price: sent })).price, shown),
    ),
  ),
  ...[{}, { product: {} }, { product: [] }, { products: { name: 'x' } }].map((body) =>
    write(`POST /products ${JSON.stringify(body)}`, wrapperRule, ['products:write'], async (kit) => {
      const answer = await kit.send('POST', '/products', { body });
      same('the answer', [answer.status, answer.body?.error], [400, 'param is missing or the value is empty: product']);
    }),
  ),
  ...invalid.map(([title, product, errors]) =>
    write(`POST /products with ${title}`, invalidRule, ['products:write'], async (kit) => {
      const { status, body } = await kit.send('POST', '/products', { body: { product } });
      same('the answer', [status, body?.errors, String(body?.error).startsWith('Validation failed')], [422, errors, true]);
    }),
  ),
  write('POST /products', "A sku is unique among the store's products that are not deleted.", scopes, async (kit) => {
    const { sku } = await newProduct(kit);
    const { status, body } = await kit.send('POST', '/products', { body: { product: { name: 'Again', sku } } });
    same('the answer', [status, body?.errors], [422, { sku: ['has already been taken'] }]);
  }),
  write('GET /products?search=', 'A product is found by search, sku and barcode at once.', scopes, async (kit) => {
    const { id, sku } = await newProduct(kit, { barcode: kit.unique() });
    for (const query of [`search=${sku}`, `sku=${sku}`]) {
      const { body } = await kit.send('GET', `/products?${query}`);
      same(
        `ids found by ${query}`,
        body.data.map((row: { id: number }) => row.id),
        [id],
      );
    }
  }),
  write(
    'GET /products?updated_since=',
    'updated_since finds a product that changed after the time, and not at it.',
    scopes,
    async (kit) => {
      const { id, updated_at } = await newProduct(kit);
      const found = async (since: string) => {
        const { body } = await kit.send('GET', `/products?per_page=100&updated_since=${since}`);
        return body.data.some((row: { id: number }) => row.id === id);
      };
      const earlier = new Date(Date.parse(updated_at) - 1).toISOString();
      same('found before, and at the time', [await found(earlier), await found(updated_at)], [true, false]);
    },
  ),
  write('GET /products/:id', 'An inactive product leaves the lists, and GET /products/:id still answers it.', scopes, async (kit) => {
    const { id, sku } = await newProduct(kit, { active: false });
    const [one, list] = [await kit.send('GET', `/products/${id}`), await kit.send('GET', `/products?sku=${sku}`)];
    same('status, active and list', [one.status, one.body?.data?.active, list.body?.data], [200, false, []]);
  }),
  write(
    'POST /products',
    'cost and wholesale_price can be written with products:write; without costs:read they are not shown.',
    scopes,
    async (kit) => {
      const made = await newProduct(kit, { cost: '0.50' });
      same('cost is shown', 'cost' in made, kit.key.scopes.includes('costs:read'));
    },
  ),
  areaOf('products-write').staffWrite('GET /products/:id', 'A deleted product is 404.', scopes, async (kit) => {
    const { id } = await newProduct(kit);
    await kit.staff.send('DELETE', `/products/${id}`);
    const { status, body } = await kit.send('GET', `/products/${id}`);
    await kit.staff.send('POST', `/products/${id}/restore`);
    same('the answer', [status, body], [404, { error: 'Product not found' }]);
  }),
];
