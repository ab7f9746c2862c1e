/** The success body: wrapped for keys, the endpoint's own response for staff and logins (D155). */
import { sendJson } from './answer.ts';
import { bare, envelope } from './envelope.ts';
import type { Exchange, Pipeline } from './exchange.ts';

export function sendEnvelope(exchange: Exchange, { app }: Pipeline): void {
  const timestamp = app.db.clock.now().toISOString();
  const { dryRun } = exchange.message!;
  send(exchange, envelope(exchange.answered!.members, { requestId: exchange.requestId, timestamp, dryRun }));
}

export function sendOwnResponse(exchange: Exchange): void {
  send(exchange, bare(exchange.answered!.members));
}

function send({ request, response, answered, message }: Exchange, json: string): void {
  if (message!.dryRun) response.setHeader('X-Dry-Run', 'true');
  for (const [name, value] of answered!.headers) response.setHeader(name, value);
  sendJson(request, response, answered!.status, json);
}
