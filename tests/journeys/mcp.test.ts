/** libs/mcp over stdio, called by the SDK's own client against the product. */
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { useWorld } from '../kit/use.ts';

const main = fileURLToPath(new URL('../../libs/mcp/src/main.js', import.meta.url));

const world = await useWorld();
const agent = await connect(await world.newKey(world.store, { scopes: ['products:read', 'products:write', 'webhooks:manage'] }));
const reader = await connect(await world.newKey(world.store, { test_mode: true }));
afterAll(async () => {
  await agent.close();
  await reader.close();
});

async function connect(
  key: string,
  allowed: Record<string, string> = { STORE_MCP_WRITES: '1', STORE_MCP_SUBSCRIPTIONS: '1' },
): Promise<Client> {
  const client = new Client({ name: 'journey', version: '1.0.0' });
  const env = { PATH: process.env.PATH ?? '', STORE_API_URL: world.baseUrl, STORE_API_KEY: key, ...allowed };
  await client.connect(new StdioClientTransport({ command: process.execPath, args: ['--no-warnings', main], env }));
  return client;
}

interface Called {
  isError: boolean;
  /** The parsed first text. */
  // biome-ignore lint/suspicious/noExplicitAny: a journey reads bodies as a client does, without types.
  result: any;
  note?: string;
}

async function call(client: Client, name: string, args: Record<string, unknown>): Promise<Called> {
  const { isError, content } = (await client.callTool({ name, arguments: args })) as { isError?: boolean; content: { text: string }[] };
  return { isError: isError ?? false, result: JSON.parse(content[0]!.text), ...(content[1] && { note: content[1].text }) };
}
const toolNames = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);

describe('an agent', () => {
  test('has the tools that its key may call, a Test Mode key those that read', async () => {
    expect(await toolNames(agent)).toEqual(expect.arrayContaining(['listProducts', 'bulkUpsert', 'createSubscription', 'getKey']));
    expect(await toolNames(agent)).not.toContain('listCustomers');
    const { tools } = await reader.listTools();
    expect(tools.length).toBeGreaterThan(20);
    expect(tools.filter(({ annotations }) => !annotations?.readOnlyHint)).toEqual([]);
  });

  test('has no tool that changes something unless STORE_MCP_WRITES is 1', async () => {
    const cautious = await connect(await world.newKey(world.store), {});
    const { tools } = await cautious.listTools();
    await cautious.close();
    expect(tools.length).toBeGreaterThan(20);
    expect(tools.filter(({ annotations }) => !annotations?.readOnlyHint)).toEqual([]);
  });

  test('tries a write first, and does it when it says so', async () => {
    const body = { product: { name: 'Agent', sku: 'AG-1', price: '2.50' } };
    const tried = await call(agent, 'createProduct', { body });
    expect([tried.isError, tried.result.meta.dry_run, tried.note]).toEqual([false, true, expect.stringContaining('dry_run false')]);
    expect((await call(agent, 'listProducts', { sku: 'AG-1' })).result.data).toEqual([]);
    const done = await call(agent, 'createProduct', { body, dry_run: false });
    expect([done.result.status, done.note]).toEqual([201, undefined]);
    expect((await call(agent, 'getProduct', { id: done.result.data.id })).result.data.name).toBe('Agent');
  });

  test('reads a refusal as a result: its code, its messages, an invented field by name', async () => {
    const refused = await call(agent, 'createProduct', { body: { product: { name: 'x', prce: '1' } } });
    expect([refused.isError, refused.result]).toEqual([
      true,
      expect.objectContaining({
        status: 422,
        code: 'invalid',
        errors: { 'product.prce': ['is not a field of this request'] },
        request_id: expect.any(String),
      }),
    ]);
    expect((await call(agent, 'getProduct', { id: 999_999 })).result).toMatchObject({ status: 404, error: 'Product not found' });
    expect((await call(agent, 'getProduct', {})).result).toEqual({ error: 'id must be given' });
    expect((await call(agent, 'listProducts', { serach: 'x' })).result).toEqual({ error: 'serach is not an argument of listProducts' });
    const typed = await call(agent, 'listProducts', { per_page: 'many' });
    expect(typed.result).toEqual({ error: 'arguments/per_page must be integer' });
    expect((await call(agent, 'listCustomers', {})).result).toEqual({ error: 'listCustomers is no tool of this key' });
  });

  test('does what cannot be tried only when it confirms', async () => {
    expect((await call(agent, 'deleteSubscription', { id: 1 })).result).toEqual({ error: 'confirm must be given' });
    const unconfirmed = await call(agent, 'deleteSubscription', { id: 1, confirm: false });
    expect(unconfirmed.result).toEqual({ error: 'arguments/confirm must be equal to constant' });
    expect((await call(agent, 'deleteSubscription', { id: 1, confirm: true })).result).toMatchObject({ status: 404 });
  });
});
