#!/usr/bin/env node
/**
 * `store-mcp`: the server over stdio; the key is in STORE_API_KEY, the address in STORE_API_URL. Tools that change something are there
 * with STORE_MCP_WRITES=1, those of subscriptions with STORE_MCP_SUBSCRIPTIONS=1 beside it.
 */
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { openMcpServer } from './server.js';

const { STORE_API_URL: baseUrl, STORE_API_KEY: key, STORE_MCP_WRITES, STORE_MCP_SUBSCRIPTIONS } = process.env;
const allowed = { writes: STORE_MCP_WRITES === '1', subscriptions: STORE_MCP_SUBSCRIPTIONS === '1' };
if (!baseUrl || !key) {
  console.error('Set STORE_API_URL (such as http://127.0.0.1:3000) and STORE_API_KEY.');
  process.exit(1);
}
try {
  const server = await openMcpServer({ baseUrl, key, allowed });
  await server.connect(new StdioServerTransport());
} catch (error) {
  // Standard output belongs to the protocol.
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
