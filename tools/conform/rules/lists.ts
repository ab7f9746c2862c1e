/** Pages of every list that has them, and the order of rows. */
import type { Contract, Operation } from '../contract.ts';
import { type Rule, same } from '../rule.ts';
import { everySale, sampleOf, scopesOfSample } from '../samples.ts';
import type { Site } from '../site.ts';

const fields = 'pagination has current_page, per_page, total_count and total_pages, which agree with each other and with the rows.';
const byDefault = 'per_page is 25 of products and customers, 50 of sales and purchase orders, 100 of stock adjustments by default.';
const atMost = 'per_page is at most 100: a larger value is 100.';
const badPage = 'A page that is no positive number is 1.';
const badPerPage = 'A per_page that is no positive number is the default.';
const beyond = 'Beyond the last page data is empty and the totals are still true.';
const onceRule = 'The pages together have every row once, in the order of the list.';
const unpaged = 'Lists without pages have at most 500 rows and no pagination.';

const perPageMax = 100;

interface Row {
  id: number;
  name: string;
  created_at: string;
  level: number;
  points_required: number;
}

const named = (row: Row, next: Row) => Buffer.compare(Buffer.from(row.name), Buffer.from(next.name));
// Times of one millisecond may have any order of their ids: a clock may be set back between two rows.
const newest = (row: Row, next: Row) => Date.parse(next.created_at) - Date.parse(row.created_at);

/** Above 0 where the two rows are out of order. */
const orders: [path: string, sentence: string, order: (row: Row, next: Row) => number][] = [
  ['/products', 'Products are sorted by name, by code point; ties by id.', (row, next) => named(row, next) || row.id - next.id],
  ['/brands', 'Brands are sorted by name.', named],
  ['/sales', 'Sales are listed newest first by creation.', newest],
  ['/purchase_orders', 'Purchase orders are listed newest first by creation.', newest],
  ['/stock_adjustments', 'The ledger is listed newest first.', (row, next) => next.id - row.id],
  ['/webhook_subscriptions', 'Subscriptions are listed newest first.', newest],
  ['/loyalty_tiers', 'Tiers are sorted by level.', (row, next) => row.level - next.level],
  ['/loyalty_rewards', 'Rewards are sorted by the points that they cost.', (row, next) => row.points_required - next.points_required],
];

const withQuery = (list: string, query: string) => `${list}${list.includes('?') ? '&' : '?'}${query}`;
const listOf = (path: string) => (path === '/sales' ? everySale : path);

export function listRules({ operations }: Contract): Rule[] {
  const lists = operations.filter(({ perPage }) => perPage !== undefined);
  const flat = operations.filter(
    ({ method, path }) => method === 'GET' && ['/brands', '/categories', '/loyalty_tiers', '/loyalty_rewards'].includes(path),
  );
  return [
    ...lists.flatMap(pagesOf),
    ...flat.map(({ path, scope }): Rule => {
      const run = async (site: Site) => {
        const { data, pagination } = (await site.get(path)).body;
        same('pagination, and whether there are more rows', [pagination, data.length > 500], [undefined, false]);
      };
      return { area: 'lists', subject: `GET ${path}`, sentence: unpaged, scopes: [scope], run };
    }),
    ...orders.map(([path, sentence, order]): Rule => {
      const { scope, perPage } = operations.find((one) => one.method === 'GET' && one.path === path)!;
      const run = async (site: Site) => {
        const rows: Row[] = (await site.get(perPage ? withQuery(listOf(path), 'per_page=100') : path)).body.data;
        const wrong = rows.slice(1).filter((next, index) => order(rows[index]!, next) > 0);
        same(
          'rows out of order',
          wrong.map(({ id }) => id),
          [],
        );
      };
      return { area: 'lists', subject: `GET ${path}`, sentence, scopes: [scope], run };
    }),
  ];
}

function pagesOf(list: Operation): Rule[] {
  const { path, perPage, pathParameters } = list;
  /** Of a list of one record, such as the ledger of a card, that of a record that the store has. */
  const at = async (site: Site, query: string) => withQuery(pathParameters.length > 0 ? await sampleOf(site, list) : listOf(path), query);
  const rule = (query: string, sentence: string, run: Rule['run']): Rule => ({
    ...{ area: 'lists', subject: `GET ${path}?${query}`, sentence, scopes: scopesOfSample(list), run },
  });
  const given = (query: string, sentence: string, name: string, value: unknown) =>
    rule(query, sentence, async (site) => same(name, (await site.get(await at(site, query))).body.pagination[name], value));
  return [
    rule('per_page=3', fields, async (site) => {
      const { data, pagination } = (await site.get(await at(site, 'per_page=3'))).body;
      const total = pagination.total_count;
      same('pagination', pagination, { current_page: 1, per_page: 3, total_count: total, total_pages: Math.ceil(total / 3) });
      same('rows', data.length, Math.min(3, total));
    }),
    given('page=1', byDefault, 'per_page', perPage),
    ...['101', '99999999999999999999'].map((size) => given(`per_page=${size}`, atMost, 'per_page', perPageMax)),
    ...['0', '-1', 'x', '', '1.5'].map((page) => given(`page=${page}`, badPage, 'current_page', 1)),
    ...['0', '-5', 'abc', ''].map((size) => given(`per_page=${size}`, badPerPage, 'per_page', perPage)),
    rule('per_page=2&page=1000000', beyond, async (site) => {
      const total = (await site.send('GET', await at(site, 'per_page=2'))).body.pagination.total_count;
      const { data, pagination } = (await site.send('GET', await at(site, 'per_page=2&page=1000000'))).body;
      same('rows, page and total', [data, pagination.current_page, pagination.total_count], [[], 1_000_000, total]);
    }),
    rule('per_page=2&page=2', onceRule, async (site) => {
      const ids = async (query: string) => (await site.send('GET', await at(site, query))).body.data.map(({ id }: Row) => id);
      const whole = await ids('per_page=4');
      const parts = [...(await ids('per_page=2')), ...(await ids('per_page=2&page=2'))];
      // A change between the requests moves rows: a second look has to agree.
      const again = await ids('per_page=4');
      if (JSON.stringify(whole) === JSON.stringify(again)) same('ids of two pages of two', parts, whole);
    }),
  ];
}
