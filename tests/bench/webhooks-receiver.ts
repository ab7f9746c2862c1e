/** A receiver on https://127.0.0.1 that notes each POST: its path, the event's id, its arrival, whether it was signed. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { throwAwayCa } from '@store/testbed/certificates';

export interface Arrival {
  path: string;
  id: string;
  /** From the event's created_at to the first byte of the request. */
  latencyMs: number;
  /** performance.now() of that byte. */
  at: number;
}

export interface BenchReceiver {
  url: string;
  /** The settings with which webhooks can reach it. */
  env: Record<string, string>;
  arrivals: Arrival[];
  /** Signing secrets by path; a POST without a valid signature of its path is counted. */
  secrets: Map<string, string>;
  unsigned: number;
  close(): Promise<void>;
}

/** POSTs to this path are never answered. */
export const hangingPath = '/hang';

export async function openBenchReceiver(caFile: string): Promise<BenchReceiver> {
  const ca = throwAwayCa();
  mkdirSync(dirname(caFile), { recursive: true });
  writeFileSync(caFile, ca.caPem);
  const server = createServer(ca.issue({ names: ['127.0.0.1'] }), (request, response) => {
    const now = Date.now();
    const at = performance.now();
    const path = request.url ?? '';
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const { id, created_at } = JSON.parse(body.toString()) as { id: string; created_at: string };
      if (!isSigned(body, receiver.secrets.get(path) ?? '', String(request.headers['x-service-signature']))) receiver.unsigned += 1;
      receiver.arrivals.push({ path, id, latencyMs: now - Date.parse(created_at), at });
      if (path !== hangingPath) response.writeHead(204).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const receiver: BenchReceiver = {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    env: { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8', WEBHOOK_CA_FILE: caFile },
    arrivals: [],
    secrets: new Map(),
    unsigned: 0,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}

function isSigned(body: Buffer, secret: string, signature: string): boolean {
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  const sent = Buffer.from(signature);
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}
