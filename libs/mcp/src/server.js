/** The MCP server: lists the tools of one key, and calls the API with it. */
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { StoreApiError, StoreClient, StoreConnectionError } from '@store/client';
import { Ajv } from 'ajv';
import { toolsOf } from './tools.js';

const version = '1.0.0';

/** Types are judged here; times, addresses and the like by the API, which takes more forms of them than their formats allow. */
const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });

const instructions = `The point of sale of one retail store. The key decides what may be done; tools that it may not call are not listed.
Tools that change something are dry runs unless dry_run is false: try first, show the user what would happen, and do it when they agree.
Money is text with two decimals. Lists have pages: page and per_page (100 at most). Errors have a code, and what the store says of them.`;

/** Reads the document and the key's scopes from the installation, so that the tools are those that it has. */
export async function openMcpServer({ baseUrl, key, allowed = {}, fetch = globalThis.fetch }) {
  const client = new StoreClient({ baseUrl, key, strict: true, fetch });
  const { data: record } = await client.call('getKey');
  const document = await documentOf(baseUrl, fetch);
  const tools = new Map(toolsOf(document, record, allowed).map((tool) => [tool.name, tool]));
  const server = new Server({ name: 'store', version }, { capabilities: { tools: {} }, instructions });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...tools.values()].map(({ definition }) => definition) }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => call(client, tools.get(params.name), params));
  return server;
}

async function documentOf(baseUrl, fetch) {
  const base = baseUrl.replace(/(?<!\/)\/+$/, '').replace(/\/api\/v1$/, '');
  const response = await fetch(`${base}/api/v1/openapi.json`);
  if (!response.ok) throw new Error(`${base}/api/v1/openapi.json answered ${response.status}`);
  return response.json();
}

/** A refusal is a result that the model can read, not an error of the protocol. */
async function call(client, tool, { name, arguments: given = {} }) {
  if (!tool) return failed({ error: `${name} is no tool of this key` });
  const missing = tool.definition.inputSchema.required.filter((one) => given[one] === undefined);
  if (missing.length > 0) return failed({ error: `${missing.join(', ')} must be given` });
  const unknown = Object.keys(given).filter((one) => !Object.hasOwn(tool.definition.inputSchema.properties, one));
  if (unknown.length > 0) return failed({ error: `${unknown.join(', ')} is not an argument of ${name}` });
  // Compiled once: the same schema object gives the same function.
  const isValid = ajv.compile(tool.definition.inputSchema);
  if (!isValid(given)) return failed({ error: ajv.errorsText(isValid.errors, { dataVar: 'arguments' }) });
  const dryRun = tool.kind === 'tried' && given.dry_run !== false;
  const picked = (names) => Object.fromEntries(names.filter((one) => given[one] !== undefined).map((one) => [one, given[one]]));
  try {
    const options = { params: picked(tool.paramNames), query: picked(tool.queryNames), dryRun };
    const answer = await client.call(name, { ...options, ...(given.body !== undefined && { body: given.body }) });
    const { headers, ...result } = answer;
    const link = headers.get('link') ?? undefined;
    const note = dryRun ? 'This was a dry run: nothing was kept. Call again with dry_run false to do it.' : undefined;
    return { content: [text({ ...result, link }), ...(note ? [{ type: 'text', text: note }] : [])] };
  } catch (error) {
    return failed(refusal(error));
  }
}

function refusal(error) {
  if (error instanceof StoreApiError) {
    const { status, code, requestId, retryAfterSeconds, body } = error;
    return { status, code, request_id: requestId, retry_after_seconds: retryAfterSeconds, ...body };
  }
  if (error instanceof StoreConnectionError || error instanceof TypeError) return { error: error.message };
  throw error;
}

const text = (value) => ({ type: 'text', text: JSON.stringify(value) });
const failed = (value) => ({ isError: true, content: [text(value)] });
