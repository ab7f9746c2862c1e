import { sendJson } from './answer.ts';
import { compressed, isWorthCompressing, varyByEncoding } from './compress.ts';
import { bare, envelope } from './envelope.ts';
import type { Exchange, Pipeline } from './exchange.ts';
import { sendStream } from './send-stream.ts';

export function sendEnvelope(exchange: Exchange, { app }: Pipeline): void | Promise<void> {
  const timestamp = app.db.clock.now().toISOString();
  const { dryRun } = exchange.message!;
  return send(exchange, (members) => envelope(members, { requestId: exchange.requestId, timestamp, dryRun }));
}

export function sendOwnResponse(exchange: Exchange): void | Promise<void> {
  return send(exchange, bare);
}

type Written = (members: NonNullable<Exchange['answered']>['members']) => string;

function send({ request, response, answered, message }: Exchange, written: Written): void | Promise<void> {
  const { headers, members, rest, status } = answered!;
  if (message!.dryRun) response.setHeader('X-Dry-Run', 'true');
  for (const [name, value] of headers) response.setHeader(name, value);
  varyByEncoding(request, response);
  if (isKnown(request, headers)) {
    response.writeHead(304).end();
    return;
  }
  if (rest) return sendStream(request, response, { status, rest, around: aroundItems(members, rest.list, written) });
  const json = written(members);
  if (!isWorthCompressing(request, json)) return sendJson(request, response, status, json);
  return compressed(response, json).then((bytes) => sendJson(request, response, status, bytes));
}

/** Whether the client has this version of the record already (RFC 9110, 13.1.2). */
function isKnown({ method, headers }: Exchange['request'], answered: NonNullable<Exchange['answered']>['headers']): boolean {
  const known = headers['if-none-match'];
  const version = answered.find(([name]) => name === 'ETag')?.[1];
  if (known === undefined || version === undefined || !['GET', 'HEAD'].includes(method)) return false;
  return known.trim() === '*' || known.includes(String(version));
}

/** Placeholder that no answer contains: marks where the items of the last member belong. */
const mark = '\u0000';

function aroundItems(members: Parameters<Written>[0], list: string, written: Written): [before: string, after: string] {
  const marked = members.map(([name, json]): [string, string] => [name, name === list ? `[${mark}]` : json]);
  const [before, after] = written(marked).split(mark);
  return [before!, after!];
}
