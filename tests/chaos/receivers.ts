/** Subscribers' HTTPS servers that keep what they receive, byte for byte, and answer as scripted. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { throwAwayCa } from '@store/testbed/certificates';
import { verifySignature } from '@store/verify';
import type { Arrival, ReceiverHistory } from './history.ts';

export interface Post {
  path: string;
  body: Buffer;
  headers: IncomingHttpHeaders;
  atMs: number;
}

type Answer = number | 'hang' | 'reset';

interface Script {
  name: string;
  accepts: ReceiverHistory['accepts'];
  events: string[];
  /** `share` is 0 to 255, the same for every attempt of an event. */
  answer(attempt: number, share: number): Answer;
}

export interface Receiver {
  script: Script;
  url: string;
  posts: Post[];
}

export interface Receivers {
  all: Receiver[];
  /** For subscriptions that come and go, by the path behind its own. */
  passing: Receiver;
  /** The settings with which webhooks can reach them. */
  env: Record<string, string>;
  close(): Promise<void>;
}

/** Waits between the attempts of a run; those of the specification take hours. */
const retryWaitsMs = [300, 500, 800, 1_200];

const scripts: Script[] = [
  {
    name: 'healthy',
    accepts: 'always',
    events: [
      'product.created',
      'product.updated',
      'inventory.adjusted',
      'sale.completed',
      'sale.voided',
      'customer.updated',
      'purchase_order.received',
    ],
    answer: () => 200,
  },
  { name: 'healthy-stock', accepts: 'always', events: ['inventory.adjusted'], answer: () => 204 },
  // Up to three failures for half of the events, none for the others.
  {
    name: 'failing-first',
    accepts: 'at last',
    events: ['product.created', 'inventory.adjusted'],
    answer: (attempt, share) => (share % 2 === 0 && attempt <= (share >> 1) % 4 ? 500 : 200),
  },
  {
    name: 'breaking',
    accepts: 'at last',
    events: ['product.updated'],
    answer: (attempt, share) => {
      if (attempt > 1) return 200;
      return share % 8 === 0 ? 'reset' : share === 1 ? 'hang' : 200;
    },
  },
  { name: 'refusing', accepts: 'never', events: ['product.created'], answer: () => 410 },
];

const passing: Script = { name: 'passing', accepts: 'always', events: ['product.updated'], answer: () => 200 };

export async function openReceivers(): Promise<Receivers> {
  const ca = throwAwayCa();
  const folder = mkdtempSync(path.join(tmpdir(), 'chaos-receivers-'));
  const caFile = path.join(folder, 'ca.pem');
  writeFileSync(caFile, ca.caPem);
  const certificate = ca.issue({ names: ['127.0.0.1'] });
  const servers: Server[] = [];
  const all: Receiver[] = [];
  for (const script of [...scripts, passing]) {
    const receiver: Receiver = { script, url: '', posts: [] };
    const server = createServer(certificate, (request, response) => {
      // A sender that was killed breaks off its request, which does not count as a POST.
      buffer(request).then(
        (body) => {
          const post = { path: request.url!, body, headers: request.headers, atMs: performance.now() };
          receiver.posts.push(post);
          const answer = script.answer(Number(request.headers['x-service-attempt']), shareOf(request.headers));
          if (answer === 'reset') request.socket.destroy();
          else if (answer !== 'hang') response.writeHead(answer, { 'Content-Length': 0 }).end();
        },
        () => response.destroy(),
      );
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    receiver.url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/${script.name}`;
    servers.push(server);
    all.push(receiver);
  }
  return {
    all: all.slice(0, -1),
    passing: all.at(-1)!,
    env: { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8', WEBHOOK_CA_FILE: caFile, WEBHOOK_RETRY_WAITS_MS: retryWaitsMs.join(',') },
    close: async () => {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
        await once(server, 'close');
      }
      rmSync(folder, { recursive: true });
    },
  };
}

function shareOf(headers: IncomingHttpHeaders): number {
  return createHash('sha256').update(String(headers['x-service-delivery'])).digest()[0]!;
}

/** Both signatures are checked as a receiver would, against the time of arrival. */
export function arrivalsOf(posts: Post[], secret: string): Arrival[] {
  return posts.map(({ body, headers, atMs }) => {
    const request = { rawBody: body, headers, secrets: [secret] };
    const now = new Date(performance.timeOrigin + atMs);
    return {
      eventId: String(headers['x-service-delivery']),
      name: String(headers['x-service-event']),
      attempt: Number(headers['x-service-attempt']),
      hash: createHash('sha256').update(body).digest('hex'),
      verified: verifySignature(request) && verifySignature({ scheme: 'standard', now, ...request }),
    };
  });
}
