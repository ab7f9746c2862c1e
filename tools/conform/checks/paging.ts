/** Pagination parameters, of every list that has pages. */
import { areaOf, type Check } from '../check.ts';
import type { Contract, Operation } from '../contract.ts';
import type { Kit } from '../kit.ts';
import { holds, same } from '../outcome.ts';
import { everySale } from '../samples.ts';

const { read } = areaOf('paging');

const perPageMax = 100;
const fields = 'pagination has current_page, per_page, total_count and total_pages, all integers, which agree with each other.';
const byDefault = 'per_page is 25 of products and customers, 50 of sales and purchase orders, 100 of stock adjustments by default.';
const atMost = 'per_page is at most 100: a larger value is 100.';
const badPage = 'A page that is no positive number is 1.';
const badPerPage = 'A per_page that is no positive number is the default.';
const beyond = 'Beyond the last page data is empty and the totals are still true.';
const rowsRule = 'A page has per_page rows, fewer on the last one only.';
const onceRule = 'The pages together have every row once, in the order of the list.';
const unpaged = 'Lists without pages have at most 500 rows and no pagination.';

export function pagingChecks({ operations }: Contract): Check[] {
  const lists = operations.filter(({ perPage }) => perPage !== undefined);
  const flat = operations.filter(({ path }) => ['/brands', '/categories', '/loyalty_tiers', '/loyalty_rewards'].includes(path));
  return [
    ...lists.flatMap(checksOf),
    ...flat
      .filter(({ method }) => method === 'GET')
      .map(({ path, scope }) =>
        read(`GET ${path}`, unpaged, [scope], async (kit) => {
          const { body } = await kit.get(path);
          same('pagination', body.pagination, undefined);
          holds(body.data.length <= 500, `there are ${body.data.length} rows`);
        }),
      ),
  ];
}

function checksOf({ path, scope, perPage }: Operation): Check[] {
  const list = path === '/sales' ? everySale : path;
  const at = (query: string) => `${list}${list.includes('?') ? '&' : '?'}${query}`;
  const add = (query: string, sentence: string, run: (kit: Kit) => Promise<void>) =>
    read(`GET ${path}${query && `?${query}`}`, sentence, [scope], run);
  const given = (query: string, sentence: string, expected: object) =>
    add(query, sentence, async (kit) => {
      const { pagination } = (await kit.get(at(query))).body;
      for (const [name, value] of Object.entries(expected)) same(name, pagination[name], value);
    });
  return [
    add('', fields, async (kit) => {
      const { pagination } = (await kit.get(list)).body;
      same('the keys of pagination', Object.keys(pagination).sort(), ['current_page', 'per_page', 'total_count', 'total_pages']);
      holds(Object.values(pagination).every(Number.isInteger), `pagination is ${JSON.stringify(pagination)}`);
      same('total_pages', pagination.total_pages, Math.ceil(pagination.total_count / pagination.per_page));
    }),
    add('', byDefault, async (kit) => same('per_page', (await kit.get(list)).body.pagination.per_page, perPage)),
    ...['101', '1000', '99999999999999999999'].map((size) => given(`per_page=${size}`, atMost, { per_page: perPageMax })),
    ...['0', '-1', 'x', '', '1.5'].map((page) => given(`page=${page}`, badPage, { current_page: 1 })),
    ...['0', '-5', 'abc', ''].map((size) => given(`per_page=${size}`, badPerPage, { per_page: perPage })),
    given('per_page=1', rowsRule, { per_page: 1, current_page: 1 }),
    add('per_page=2&page=1000000', beyond, async (kit) => {
      const total = (await kit.send('GET', at('per_page=2'))).body.pagination.total_count;
      const { data, pagination } = (await kit.send('GET', at('per_page=2&page=1000000'))).body;
      same('data', data, []);
      same('page and total', [pagination.current_page, pagination.total_count], [1_000_000, total]);
    }),
    add('per_page=3', rowsRule, async (kit) => {
      const { data, pagination } = (await kit.get(at('per_page=3'))).body;
      same('rows', data.length, Math.min(3, pagination.total_count));
    }),
    add('per_page=2&page=2', onceRule, async (kit) => {
      const ids = async (query: string) => (await kit.send('GET', at(query))).body.data.map(({ id }: { id: number }) => id);
      const whole = await ids('per_page=4');
      const parts = [...(await ids('per_page=2')), ...(await ids('per_page=2&page=2'))];
      // A change between the requests moves rows: a second look has to agree.
      const again = await ids('per_page=4');
      if (JSON.stringify(whole) === JSON.stringify(again)) same('ids of two pages of two', parts, whole);
    }),
  ];
}
