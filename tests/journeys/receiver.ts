/** A subscriber's HTTPS server on this machine, with a certificate of a CA that only the test trusts. */
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { throwAwayCa } from '@store/testbed/certificates';

export interface Hook {
  path: string;
  headers: IncomingHttpHeaders;
  /** The raw bytes, as they were signed. */
  body: Buffer;
}

export interface Receiver {
  /** https://127.0.0.1:port */
  url: string;
  /** The same at another port: for the product another host. */
  otherUrl: string;
  /** The settings with which webhooks can reach it. */
  env: Record<string, string>;
  /** Everything that arrived, in order. */
  hooks: Hook[];
  /** The answer's status, by default 200; undefined: no answer. */
  answer: (hook: Hook) => { status: number; headers?: Record<string, string> } | undefined;
  /** The first `count` hooks on that path, once they have arrived. */
  arrived(path: string, count: number): Promise<Hook[]>;
  close(): Promise<void>;
}

const arrivedWithinMs = 60_000;

/** `answerAfterMs`: a slow receiver. */
export async function openReceiver({ answerAfterMs = 0 } = {}): Promise<Receiver> {
  const ca = throwAwayCa();
  const folder = mkdtempSync(path.join(tmpdir(), 'receiver-'));
  const caFile = path.join(folder, 'ca.pem');
  writeFileSync(caFile, ca.caPem);
  const waiting = new Set<() => void>();
  const receive = (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const hook = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) };
      receiver.hooks.push(hook);
      const answer = receiver.answer(hook);
      if (answer) setTimeout(() => response.writeHead(answer.status, answer.headers).end(), answerAfterMs);
      for (const look of waiting) look();
    });
  };
  const certificate = ca.issue({ names: ['127.0.0.1'] });
  const servers = [createServer(certificate, receive), createServer(certificate, receive)];
  const [url, otherUrl] = await Promise.all(
    servers.map(async (server) => {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    }),
  );
  const receiver: Receiver = {
    url: url!,
    otherUrl: otherUrl!,
    env: { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8', WEBHOOK_CA_FILE: caFile },
    hooks: [],
    answer: () => ({ status: 200 }),
    arrived: (wanted, count) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = receiver.hooks.filter((hook) => hook.path === wanted);
          if (found.length < count) return;
          clearTimeout(timer);
          waiting.delete(look);
          resolve(found);
        };
        const timer = setTimeout(() => {
          waiting.delete(look);
          reject(new Error(`${wanted} did not get ${count} webhooks in time: ${receiver.hooks.map((hook) => hook.path).join(', ')}`));
        }, arrivedWithinMs);
        waiting.add(look);
        look();
      }),
    close: async () => {
      await Promise.all(
        servers.map(async (server) => {
          server.closeAllConnections();
          server.close();
          await once(server, 'close');
        }),
      );
      rmSync(folder, { recursive: true });
    },
  };
  return receiver;
}
