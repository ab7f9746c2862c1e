/** A subscriber's HTTPS servers on this machine, with a certificate of a CA that only the test trusts: they keep what they receive. */
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { throwAwayCa } from '@store/testbed/certificates';
import { until } from '@store/testbed/until';
import { verifySignature } from '@store/verify';

export interface Hook {
  path: string;
  headers: IncomingHttpHeaders;
  /** The raw bytes, as they were signed. */
  body: Buffer;
  /** When its first byte arrived (performance.now()). */
  atMs: number;
}

type HookAnswer = { status: number; headers?: Record<string, string> } | 'none' | 'reset';

export interface Receiver {
  /** https://127.0.0.1:port of each server: for the product other hosts. */
  urls: string[];
  /** The first of them. */
  url: string;
  /** The settings with which webhooks can reach it. */
  env: Record<string, string>;
  /** Everything that arrived, in order. */
  hooks: Hook[];
  /** By default 200 at once. */
  answer: (hook: Hook) => HookAnswer;
  /** The first `count` hooks on that path, once they have arrived. */
  arrived(path: string, count: number): Promise<Hook[]>;
  close(): Promise<void>;
}

const arrivedWithinMs = 60_000;

/** `answerAfterMs`: a slow receiver. */
export async function openReceiver({ servers: count = 2, answerAfterMs = 0 } = {}): Promise<Receiver> {
  const ca = throwAwayCa();
  const folder = mkdtempSync(path.join(tmpdir(), 'receiver-'));
  const caFile = path.join(folder, 'ca.pem');
  writeFileSync(caFile, ca.caPem);
  const certificate = ca.issue({ names: ['127.0.0.1'] });
  const hooks: Hook[] = [];
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const atMs = performance.now();
    // A sender that was killed breaks off its request, which does not count.
    const body = await buffer(request).catch(() => undefined);
    if (!body) return void response.destroy();
    const hook = { path: request.url ?? '', headers: request.headers, body, atMs };
    hooks.push(hook);
    const answer = receiver.answer(hook);
    if (answer === 'reset') request.socket.destroy();
    else if (answer !== 'none') setTimeout(() => response.writeHead(answer.status, answer.headers).end(), answerAfterMs);
  };
  const servers = Array.from({ length: count }, () => createServer(certificate, receive));
  for (const server of servers) await once(server.listen(0, '127.0.0.1'), 'listening');
  const urls = servers.map((server) => `https://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const at = (wanted: string) => hooks.filter((hook) => hook.path === wanted);
  const receiver: Receiver = {
    urls,
    url: urls[0]!,
    env: { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8', WEBHOOK_CA_FILE: caFile },
    hooks,
    answer: () => ({ status: 200 }),
    arrived: async (wanted, least) => {
      const why = () => `${wanted} did not get ${least} webhooks in time: ${hooks.map((hook) => hook.path).join(', ')}`;
      await until(() => at(wanted).length >= least, arrivedWithinMs, why);
      return at(wanted);
    },
    close: async () => {
      for (const server of servers) {
        server.closeAllConnections();
        await once(server.close(), 'close');
      }
      rmSync(folder, { recursive: true });
    },
  };
  return receiver;
}

/** Id of its event. */
export const eventOf = ({ headers }: Hook): string => String(headers['x-service-delivery']);

/** From the event's created_at to the hook's first byte. */
export const latencyMsOf = ({ body, atMs }: Hook): number =>
  performance.timeOrigin + atMs - Date.parse((JSON.parse(body.toString()) as { created_at: string }).created_at);

export const isSigned = ({ headers, body }: Hook, secret: string): boolean =>
  verifySignature({ rawBody: body, headers, secrets: [secret] });

/** Id of the record that its event is about. */
export const resourceOf = ({ body }: Hook): number => (JSON.parse(body.toString()) as { resource_id: number }).resource_id;
