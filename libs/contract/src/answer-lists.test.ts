import { expect, test } from '@jest/globals';
import { endpoints } from './endpoints.ts';

/** Lists with pages and without cursors, and why. */
const without: Record<string, string> = {
  ListRequests: 'its rows have no number, and each process writes its own late, so that no order of them is final',
};

test('D284: every list with pages has cursors, beside which strictness refuses a page', () => {
  const paged = endpoints().filter(({ request }) => request.fields.page);
  expect(paged.length).toBeGreaterThan(10);
  for (const { rpcName, list, request } of paged) {
    expect([rpcName, list?.walks]).toEqual([rpcName, without[rpcName] === undefined]);
    if (list?.walks) expect(request.fields.page!.options?.['(store.api.v1.idle_beside)']).toBe('after,after=');
  }
});
