import { createHash, createHmac } from 'node:crypto';
import { type Endpoint, messageFromBody, messageFromQuery } from '@store/contract';
import { Problem } from '@store/problem';
import { LineFull } from '@store/shares';
import type { Request } from 'express';
import { addressBlock } from '../address-block.ts';
import type { Pepper } from '../keys/key-text.ts';
import { parseObject, withBody } from './body.ts';
import type { BodyHolder } from './body-room.ts';
import { crowded } from './connection-shares.ts';
import { type Exchange, type Pipeline, type RequestMessage, storeIdOf } from './exchange.ts';
import { asksForStrict, checkFields, checkParameters } from './strict-handling.ts';

const takesBody = new Set(['POST', 'PUT', 'PATCH']);

export async function readMessage(exchange: Exchange, { app, forwarder }: Pipeline): Promise<void> {
  const { request, response, query } = exchange;
  const { endpoint, params } = exchange.match!;
  const dryRun = dryRunOf(endpoint, query);
  const ifMatch = ifMatchOf(exchange);
  const strict = asksForStrict(request.headers.prefer);
  if (strict) checkParameters(exchange, takesBody.has(endpoint.httpMethod));
  if (!takesBody.has(endpoint.httpMethod)) {
    const fields = messageFromQuery(endpoint.request, params, new URLSearchParams(query));
    exchange.message = { fields, idempotency: undefined, dryRun: false };
    return;
  }
  const bounds = { bytesMax: endpoint.bodyBytesMax, room: forwarder.room, holder: holderOf(exchange) };
  const read = (raw: Buffer): RequestMessage => {
    const body = hasBodyFields(endpoint, params) ? parseObject(request, raw) : {};
    const message = messageFromBody(endpoint.request, body);
    if (strict) checkFields(exchange, body, message);
    const idempotency = idempotencyOf(request, raw, app.config.peppers);
    // Sent twice, a dry run changes nothing twice (D247).
    const fields = { ...message, ...params };
    return dryRun
      ? { fields, idempotency: undefined, dryRun, ifMatch, sent: raw.length === 0 ? {} : JSON.parse(raw.toString()) }
      : { fields, idempotency, dryRun, ifMatch };
  };
  exchange.message = await withBody(request, response, bounds, read).catch((error: unknown) => {
    throw error instanceof LineFull ? crowded(forwarder.room.anonymousWaiting, app.db.clock) : error;
  });
}

/** D202: `dry_run` is true or absent; an endpoint without dry runs refuses it, as it would execute the request. */
function dryRunOf({ httpMethod, access }: Endpoint, query: string): boolean {
  const sent = httpMethod === 'GET' ? [] : new URLSearchParams(query).getAll('dry_run');
  if (sent.length === 0) return false;
  if (!access.dryRun) throw new Problem('missing_parameter', 'dry_run is not available for this endpoint');
  if (sent.length > 1 || sent[0] !== 'true') throw new Problem('missing_parameter', 'dry_run must be true or left out');
  return true;
}

/** A change that cannot heed the version is refused, as it would overwrite what the client did not see. */
function ifMatchOf({ request, match }: Exchange): string | undefined {
  const { httpMethod, takesIfMatch } = match!.endpoint;
  const sent = request.headers['if-match'];
  if (sent === undefined || takesIfMatch) return sent;
  if (httpMethod !== 'PATCH' && httpMethod !== 'PUT') return undefined;
  throw new Problem('missing_parameter', 'If-Match is not available for this endpoint');
}

function holderOf(exchange: Exchange): BodyHolder {
  const storeId = storeIdOf(exchange);
  return storeId === undefined ? { address: addressBlock(exchange.ip) } : { storeId };
}

/** An endpoint with all of its fields in the path, such as restore, needs no body and no content type. */
function hasBodyFields(endpoint: Endpoint, params: Record<string, string>): boolean {
  return endpoint.request.fieldsArray.some((field) => field.name !== 'malformed' && !(field.name in params));
}

const idempotencyKey = /^[\x21-\x7e]{1,255}$/;

/** The digest of the request, then the same under each pepper; only those with a pepper are stored, as a body may hold a password. */
function idempotencyOf(request: Request, raw: Buffer, peppers: Pepper[]): RequestMessage['idempotency'] {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !idempotencyKey.test(key)) {
    throw new Problem('missing_parameter', 'Idempotency-Key must be 1 to 255 printable ASCII characters without spaces');
  }
  const plain = createHash('sha256').update(`${request.method} ${request.originalUrl}\n`).update(raw).digest();
  const keyed = peppers.map(({ secret }) => createHmac('sha256', secret).update('idempotency\n').update(plain).digest());
  return { key, hash: Buffer.concat([plain, ...keyed]) };
}
