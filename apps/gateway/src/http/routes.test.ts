import { expect, test } from '@jest/globals';
import { Routes, segmentsOf } from './routes.ts';

const routes = new Routes(new Set(['gateway', 'catalog', 'inventory']));
const httpMethods = (path: string) => routes.httpMethods(segmentsOf(path));

test('OPTIONS lists the methods of the most literal route, HEAD beside GET (D15, D16)', () => {
  expect(httpMethods('/products')).toEqual(['GET', 'HEAD', 'POST', 'OPTIONS']);
  expect(httpMethods('/products/1')).toEqual(['GET', 'HEAD', 'PATCH', 'DELETE', 'OPTIONS']);
  expect(httpMethods('/products/bulk_upsert')).toEqual(['POST', 'OPTIONS']);
  expect(httpMethods('/products/1/restore')).toEqual(['POST', 'OPTIONS']);
  expect(httpMethods('/nothing')).toEqual([]);
  const keyMethods = (path: string) => routes.httpMethods(segmentsOf(path), { forKey: true });
  expect(keyMethods('/products/1')).toEqual(['GET', 'HEAD', 'OPTIONS']);
  expect(keyMethods('/products/1/restore')).toEqual(['OPTIONS']);
  expect(keyMethods('/nothing')).toEqual([]);
});

test('a literal segment wins over a parameter, and HEAD is matched as GET', () => {
  expect(routes.match('PATCH', segmentsOf('/products/bulk_update'))?.endpoint.rpcName).toBe('BulkUpdateProducts');
  expect(routes.match('HEAD', segmentsOf('/products/7'))).toMatchObject({ endpoint: { rpcName: 'GetProduct' }, params: { id: '7' } });
  expect(routes.match('PUT', segmentsOf('/products/7'))).toBeUndefined();
});
