import { describe, expect, test } from '@jest/globals';
import type { Json } from '@store/testbed';
import { catalog, key, keyOf, shareCatalog, staff, staffOf, storeId, updateCategory } from '../../test/catalog-under-test.ts';
import { slugOf } from './category.input.ts';

shareCatalog();

const tree = async (query = '', caller = key) => (await catalog.query('ListCategories', query, caller)).categories;
const update = async (id: number, category: object) => (await updateCategory(id, category)).category;
const remove = (id: number) => catalog.call('DeleteCategory', { id: String(id) }, staff);
/** A category that shows, as it has a product. */
const shown = async (fields: object) => {
  const category = await catalog.category(fields, staff);
  await catalog.product({ name: `In ${category.name}`, category_ids: [category.id] }, staff);
  return category;
};
/** Names and counts of a tree, as deep as it goes. */
const outline = (categories: Json[]): Json =>
  categories.map((row) => [row.full_name, row.product_count, row.total_product_count, ...outline(row.subcategories)]);

describe('GET /categories', () => {
  test('D61: categories are nested, sorted and counted; empty branches are left out', async () => {
    const garden = await catalog.category({ name: 'Garden', position: 2 }, staff);
    const lights = await shown({ name: 'Lights', parent_id: garden.id });
    const candles = await catalog.category({ name: 'Candles', parent_id: lights.id }, staff);
    await catalog.category({ name: 'Empty', parent_id: garden.id }, staff);
    await catalog.category({ name: 'Nothing' }, staff);
    await shown({ name: 'Zebra', position: 1 });
    await shown({ name: 'Apple', position: 1 });
    await catalog.product({ name: 'Both', category_ids: [garden.id, lights.id, candles.id] }, staff);
    expect(outline(await tree())).toEqual([
      ['Apple', 1, 1],
      ['Zebra', 1, 1],
      ['Garden', 1, 2, ['Garden > Lights', 2, 2, ['Garden > Lights > Candles', 1, 1]]],
    ]);
  });

  test('all=true lists empty categories too, for staff only', async () => {
    const garden = await catalog.category({ name: 'Garden' }, staff);
    await catalog.category({ name: 'Empty', parent_id: garden.id }, staff);
    await shown({ name: 'Lights', parent_id: garden.id });
    const all = ['Garden', 0, 1, ['Garden > Empty', 0, 0], ['Garden > Lights', 1, 1]];
    expect(outline(await tree('all=true', staff))).toEqual([all]);
    const withProducts = [['Garden', 0, 1, ['Garden > Lights', 1, 1]]];
    expect(outline(await tree('all=true', key))).toEqual(withProducts);
    expect(outline(await tree('', staff))).toEqual(withProducts);
  });

  test('counts equal what GET /products?category= lists', async () => {
    const category = await shown({ name: 'Garden' });
    const category_ids = [category.id];
    const parent = await catalog.product({ name: 'Shirt', category_ids }, staff);
    await catalog.product({ name: 'Shirt L', parent_id: parent.id, category_ids }, staff);
    await catalog.product({ name: 'Asleep', active: false, category_ids }, staff);
    const gone = await catalog.product({ name: 'Gone', category_ids }, staff);
    await catalog.call('DeleteProduct', { id: String(gone.id) }, staff);
    expect(outline(await tree())).toEqual([['Garden', 2, 2]]);
    expect((await catalog.list('category=garden', key)).pagination.total_count).toBe(2);
  });

  test('inactive branches and categories without active products are left out', async () => {
    const garden = await shown({ name: 'Garden' });
    await shown({ name: 'Lights', parent_id: garden.id });
    const { id } = await catalog.category({ name: 'Sleepy' }, staff);
    await catalog.product({ name: 'a', active: false, category_ids: [id] }, staff);
    expect(outline(await tree())).toEqual([['Garden', 1, 2, ['Garden > Lights', 1, 1]]]);
    await update(garden.id, { active: false });
    expect(await tree()).toEqual([]);
  });

  test('D54, D58: a revenue center limits the categories and what they count', async () => {
    const [front, back] = [await catalog.center('Front', staff), await catalog.center('Back', staff)];
    const garden = await shown({ name: 'Garden' });
    await shown({ name: 'Lights', parent_id: garden.id, revenue_center_ids: [front.id] });
    await catalog.product({ name: 'x', category_ids: [garden.id], revenue_center_ids: [back.id] }, staff);
    expect(outline(await tree(`revenue_center_id=${front.id}`))).toEqual([['Garden', 1, 2, ['Garden > Lights', 1, 1]]]);
    expect(outline(await tree(`revenue_center_id=${back.id}`))).toEqual([['Garden', 2, 2]]);
    expect(await tree('revenue_center_id=999999')).toEqual([]);
    expect(await tree(`revenue_center_id=${front.id}`, keyOf(storeId + 1000))).toEqual([]);
    for (const junk of ['x', '1.5', '%00', ''])
      expect(outline(await tree(`revenue_center_id=${junk}`))[0].slice(0, 3)).toEqual(['Garden', 2, 3]);
  });

  test('D44: a store has at most 500 top-level categories', async () => {
    await catalog.run(
      `with c as (insert into catalog.categories (store_id, name, slug, created_at, updated_at)
         select $1, 'c' || lpad(n::text, 4, '0'), 'c' || n, now(), now() from generate_series(1, 510) n returning id)
       insert into catalog.product_categories (store_id, product_id, category_id) select $1, $2, id from c`,
      [storeId, (await catalog.product({ name: 'a' }, staff)).id],
    );
    const categories = await tree();
    expect(categories).toHaveLength(500);
    expect(categories[499].name).toBe('c0500');
  });
});

describe('changes by staff', () => {
  test.each([
    ['Café & Thé', 'cafe-the'],
    ['  Garden: Tools  ', 'garden-tools'],
    ['100% Wool', '100-wool'],
    ['お茶', 'お茶'],
    ['!!!', 'category'],
  ])('D55: the name %j gives the slug %s, which never holds a colon', (name, slug) => {
    expect(slugOf(name)).toBe(slug);
  });

  test('D47: an empty position or slug is for creation only', async () => {
    const { id } = await catalog.category({ name: 'Garden', position: 3, slug: '' }, staff);
    for (const [category, error] of [
      [{ position: null }, "Position can't be blank"],
      [{ slug: '' }, "Slug can't be blank"],
    ] as const) {
      expect(await catalog.refusal(update(id, category))).toMatchObject({ status: 422, errors: [error] });
    }
    expect(await update(id, { name: 'Yard' })).toMatchObject({ slug: 'garden', position: 3 });
  });

  test('a slug made from the name is unique; a sent one, taken or invalid, is a 422', async () => {
    expect((await catalog.category({ name: 'Garden' }, staff)).slug).toBe('garden');
    expect((await catalog.category({ name: 'Garden' }, staff)).slug).toBe('garden-2');
    expect((await catalog.category({ name: 'Garden' }, staff)).slug).toBe('garden-3');
    expect((await catalog.category({ name: 'Garden' }, staffOf(storeId + 1000))).slug).toBe('garden');
    for (const [slug, error] of [
      ['garden', 'Slug has already been taken'],
      ['store:cannabis', 'Slug may hold only lower-case letters, digits and hyphens'],
      ['Garden', 'Slug may hold only lower-case letters, digits and hyphens'],
    ]) {
      expect(await catalog.refusal(catalog.category({ name: 'x', slug }, staff))).toEqual({
        status: 422,
        error: `Validation failed: ${error}`,
        errors: [error],
      });
    }
  });

  test('a move takes the branch along: paths, full names and filters follow', async () => {
    const a = await catalog.category({ name: 'A' }, staff);
    const b = await catalog.category({ name: 'B', parent_id: a.id }, staff);
    const c = await catalog.category({ name: 'C', parent_id: b.id }, staff);
    const d = await shown({ name: 'D', parent_id: c.id });
    const x = await catalog.category({ name: 'X' }, staff);
    const y = await catalog.category({ name: 'Y', parent_id: x.id }, staff);
    const moved = await update(b.id, { parent_id: y.id });
    expect(moved).toMatchObject({ full_name: 'X > Y > B', depth: 2, ancestor_ids: [x.id, y.id] });
    const below = { full_name: 'X > Y > B > C > D', ancestor_ids: [x.id, y.id, b.id, c.id], id: d.id };
    expect(moved.subcategories[0].subcategories[0]).toMatchObject(below);
    expect(await catalog.names('category=x', key)).toEqual(['In D']);
    expect(await catalog.names('category=a', key)).toEqual([]);
    expect(await update(b.id, { parent_id: null })).toMatchObject({ depth: 0, ancestor_ids: [], parent_id: null });
    expect(await catalog.names('category=x', key)).toEqual([]);
    expect(await catalog.names('category=b', key)).toEqual(['In D']);
  });

  test('D260: no new category and no move makes a tree deeper than 10 levels', async () => {
    const chain = async (levels: number, parent_id: number | null = null): Promise<number[]> => {
      if (levels === 0) return [];
      const { id } = await catalog.category({ name: 'C', parent_id }, staff);
      return [id, ...(await chain(levels - 1, id))];
    };
    const error = { status: 422, error: 'Validation failed: Parent is too deep', errors: ['Parent is too deep'] };
    const tall = await chain(10);
    expect(await catalog.refusal(catalog.category({ name: 'x', parent_id: tall[9] }, staff))).toEqual(error);
    const [top, , bottom] = await chain(3);
    expect(await catalog.refusal(update(top!, { parent_id: tall[7] }))).toEqual(error);
    expect(await update(top!, { parent_id: tall[6] })).toMatchObject({ depth: 7 });
    expect(await catalog.refusal(catalog.category({ name: 'x', parent_id: bottom }, staff))).toEqual(error);
  });

  test('D260: a store has 2,000 categories at most, as all of them are one answer', async () => {
    await catalog.run(
      `insert into catalog.categories (store_id, name, slug, created_at, updated_at)
       select $1, 'c', 'c' || n, now(), now() from generate_series(1, 1999) n`,
      [storeId],
    );
    await catalog.category({ name: 'Last' }, staff);
    expect(await catalog.refusal(catalog.category({ name: 'x' }, staff))).toMatchObject({
      status: 422,
      errors: ['at most 2000 categories per store'],
    });
  });

  test('D260: a deeper tree from an earlier release is read, changed and flattened', async () => {
    const { id } = await catalog.category({ name: 'C' }, staff);
    const ids: number[] = [id];
    for (let n = 0; n < 12; n++) {
      const [row] = await catalog.run<{ id: number }>(
        `insert into catalog.categories (store_id, name, slug, parent_id, ancestor_ids, created_at, updated_at)
         values ($1, 'C', $2, $3, $4, now(), now()) returning id`,
        [storeId, `deep-${n}`, ids.at(-1), ids],
      );
      ids.push(Number(row!.id));
    }
    const full = Array.from({ length: 13 }, () => 'C').join(' > ');
    expect(JSON.stringify(await tree('all=true', staff))).toContain(`"${full}"`);
    const below = { name: 'Changed', parent_id: ids[11] };
    expect(await update(ids[12]!, below)).toMatchObject({ name: 'Changed', depth: 12 });
    expect(await update(ids[9]!, { parent_id: ids[0] })).toMatchObject({ depth: 1 });
  });

  test('a category is never below itself, not even by two moves at once', async () => {
    const a = await catalog.category({ name: 'A' }, staff);
    const b = await catalog.category({ name: 'B', parent_id: a.id }, staff);
    const error = { status: 422, errors: ['Parent id must not be the category itself or one below it'] };
    expect(await catalog.refusal(update(a.id, { parent_id: a.id }))).toMatchObject(error);
    expect(await catalog.refusal(update(a.id, { parent_id: b.id }))).toMatchObject(error);
    const c = await catalog.category({ name: 'C' }, staff);
    const outcomes = await Promise.allSettled([update(a.id, { parent_id: c.id }), update(c.id, { parent_id: b.id })]);
    expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('each change is audited with what changed, and has no public event', async () => {
    const category = await catalog.category({ name: 'A', color: 'red' }, staff);
    await update(category.id, { color: 'blue', icon: 'lamp' });
    await update(category.id, { color: 'blue' });
    await remove(category.id);
    const events = await catalog.events(storeId);
    expect(events.map((event) => [event.name, event.text])).toEqual([
      ['category.created', null],
      ['category.updated', null],
      ['category.deleted', null],
    ]);
    const about = { action: 'category.update', resource_type: 'Category', resource_id: category.id };
    expect(events[1]!.audit).toMatchObject({ ...about, before: { color: 'red', icon: null }, after: { color: 'blue', icon: 'lamp' } });
    expect(events[2]!.audit).toMatchObject({ before: { name: 'A', color: 'blue' }, after: null });
  });

  test('a rename or deletion emits product.updated for exactly the products that show it', async () => {
    const garden = await catalog.category({ name: 'Garden' }, staff);
    const lights = await catalog.category({ name: 'Lights', parent_id: garden.id }, staff);
    const shows = await catalog.product({ name: 'shows', category_ids: [garden.id] }, staff);
    await catalog.product({ name: 'below', category_ids: [lights.id] }, staff);
    const emitted = async (work: () => Promise<unknown>) => {
      catalog.clock.advance(1000);
      const since = new Date(catalog.clock.now().getTime() - 1).toISOString();
      const events = (await catalog.eventsOf(storeId, work)).filter((event) => event.name === 'product.updated');
      expect(await catalog.names(`updated_since=${since}`, key)).toEqual(events.map((event) => event.body.data.name));
      return events.map((event) => [event.body.data.id, event.body.data.categories[0]?.name]);
    };
    expect(await emitted(() => update(garden.id, { name: 'Yard' }))).toEqual([[shows.id, 'Yard']]);
    expect(await emitted(() => update(garden.id, { slug: 'yard' }))).toEqual([[shows.id, 'Yard']]);
    expect(await emitted(() => update(garden.id, { position: 7, color: 'red' }))).toEqual([]);
    await update(lights.id, { parent_id: '' });
    expect(await emitted(() => remove(garden.id))).toEqual([[shows.id, undefined]]);
    expect((await catalog.get(shows.id, key)).categories).toEqual([]);
  });

  test('a category with subcategories or with promotions stays: 422', async () => {
    const garden = await catalog.category({ name: 'Garden' }, staff);
    const lights = await catalog.category({ name: 'Lights', parent_id: garden.id }, staff);
    expect(await catalog.refusal(remove(garden.id))).toMatchObject({ status: 422, errors: ['Category has subcategories'] });
    await catalog.promotion({ category_id: lights.id }, staff);
    expect(await catalog.refusal(remove(lights.id))).toMatchObject({ status: 422, errors: ['Category has promotions'] });
  });

  test('a deleted category is a 404', async () => {
    const { id } = await catalog.category({ name: 'Gone' }, staff);
    await remove(id);
    const refused = { status: 404, error: 'Category not found' };
    expect(await catalog.refusal(update(id, { name: 'x' }))).toEqual(refused);
    expect(await catalog.refusal(remove(id))).toEqual(refused);
  });
});
