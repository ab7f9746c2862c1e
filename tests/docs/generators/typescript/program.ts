// Upserts, follows the pages and reads a 422 with the types that openapi-typescript generates.
import createClient from 'openapi-fetch';
import type { paths } from './client';

declare const process: { env: Record<string, string> };

async function main(): Promise<void> {
  const client = createClient<paths>({ baseUrl: `${process.env.STORE_URL}/api/v1`, headers: { 'X-API-Key': process.env.STORE_KEY! } });
  const products = ['A', 'B', 'C'].map((name) => ({ sku: `ts-${name}`, name: `Generated ts ${name}`, price: '1.50' }));
  const upserted = await client.POST('/products/bulk_upsert', { body: { products } });
  const listed: string[] = [];
  for (let page = 1, pages = 1; page <= pages; page++) {
    const { data } = await client.GET('/products', { params: { query: { search: 'Generated ts', per_page: 2, page } } });
    listed.push(...data!.data.map(({ sku, price }) => `${sku} ${price}`));
    pages = data!.pagination.total_pages;
  }
  const { error, response } = await client.POST('/products', { body: { product: { name: '' } } });
  const created = upserted.data!.data;
  console.log(
    JSON.stringify({ created: 'created' in created ? created.created : 0, listed, status: response.status, error: error!.error }),
  );
}
void main();
