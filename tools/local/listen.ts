/**
 * `npm run listen -- --port P [--subscribe all] [--secret whsec_…]`: a receiver for local development that prints each
 * request on one line with its body below, and says whether its signature verifies.
 */
import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { verifySignature } from '@store/verify';
import { Command, InvalidArgumentError } from 'commander';
import { CannotStart } from './cannot-start.ts';
import { dataDir } from './data-dir.ts';
import { listenCa } from './listen-ca.ts';
import { forwarded } from './listen-forward.ts';
import { type Subscribed, subscribe } from './listen-subscribe.ts';
import { wholeNumber } from './whole-number.ts';

interface ListenOptions {
  port: number;
  host: string;
  secret: string[];
  status: number;
  tls?: boolean;
  subscribe?: string;
  forward?: string;
}

/** Larger than any payload; a longer body is not from this product. */
const bodyBytesMax = 16 * 1024 * 1024;

const program = new Command('npm run listen --')
  .description('Prints webhooks that arrive on this machine, verified. Answers every one of them with one status.')
  .requiredOption('--port <port>', 'port to listen on; 0 takes a free one', wholeNumber(0, 65_535))
  .option(
    '--secret <whsec>',
    'signing secret; repeat it to accept several (default: $WEBHOOK_SECRET)',
    (text, list: string[]) => [...list, text],
    [],
  )
  .option('--status <code>', 'status to answer with', wholeNumber(200, 599), 200)
  .option('--host <address>', 'address to listen on', '127.0.0.1')
  .option('--tls', 'speak HTTPS, with a certificate of an authority that is kept in .data')
  .option('--subscribe <events>', 'with --tls: subscribe to these events, or to all; the subscription is deleted at the end')
  .option('--forward <url>', 'hand each request on, unchanged, and answer with its status: http://127.0.0.1:8080/hooks', webAddress)
  .showHelpAfterError('(--help shows what there is)')
  .action(listen);

async function listen(options: ListenOptions): Promise<void> {
  const environment = process.env.WEBHOOK_SECRET;
  const secrets = options.secret.length > 0 ? options.secret : environment ? [environment] : [];
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    receive(request, response, { secrets, ...options }).catch((error: unknown) => {
      console.error(`A request broke off: ${error instanceof Error ? error.message : String(error)}`);
      response.destroy();
    });
  };
  const ca = options.tls || options.subscribe ? listenCa(dataDir()) : undefined;
  const names = [...new Set([options.host, '127.0.0.1'])];
  const server = ca ? https.createServer(ca.issue({ names }), answer) : http.createServer(answer);
  const url = await opened(server, options, ca ? 'https' : 'http');
  console.log(`Listening on ${url}, ${options.forward ? `forwarding to ${options.forward}` : `answering ${options.status}`}.`);
  const trust = ca && `WEBHOOK_CA_FILE=${ca.file} WEBHOOK_ALLOW_CIDRS=${options.host}`;
  if (options.subscribe) {
    // Before the subscription answers, its secret is not known, and nothing is sent.
    const subscribed = await subscribe({ url, events: options.subscribe, trust: trust! }).catch((error: unknown) => {
      server.close();
      throw error;
    });
    secrets.push(subscribed.secret);
    console.log(subscribed.explained);
    deleteAtTheEnd(subscribed);
    await subscribed.ping();
    return;
  }
  if (secrets.length === 0) console.log('No --secret was given: signatures are shown and not verified.');
  if (trust) console.log(`To be delivered to, start with: ${trust} npm start`);
  else console.log('Subscriptions need an HTTPS URL: put a proxy that ends TLS before this, or use --tls.');
}

async function opened(server: http.Server, { port, host }: ListenOptions, scheme: string): Promise<string> {
  await once(server.listen(port, host), 'listening').catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'EADDRINUSE' ? `port ${port} is taken` : error.message;
    throw new CannotStart(`Cannot listen on ${host}: ${why}.`, { cause: error });
  });
  return `${scheme}://${host}:${(server.address() as AddressInfo).port}`;
}

function deleteAtTheEnd({ remove }: Subscribed): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      remove().then(
        () => process.exit(0),
        (error: unknown) => {
          console.error(error instanceof Error ? error.message : error);
          process.exit(1);
        },
      );
    });
  }
}

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  { secrets, status: fixed, forward }: { secrets: string[]; status: number; forward?: string },
): Promise<void> {
  if (Number(request.headers['content-length'] ?? 0) > bodyBytesMax) {
    response.writeHead(413, { Connection: 'close' }).end();
    return;
  }
  const rawBody = await buffer(request);
  const status = forward ? await forwarded(forward, { method: request.method, headers: request.headers, rawBody }) : fixed;
  response.writeHead(status, { 'Content-Length': 0 }).end();
  console.log(`${lineOf(request, { rawBody, secrets, status })}\n${pretty(rawBody)}`);
}

/** Time, verdict, event, delivery, attempt, sequence, request id, and what was answered. */
function lineOf(
  { method, url, headers }: IncomingMessage,
  { rawBody, secrets, status }: { rawBody: Buffer; secrets: string[]; status: number },
): string {
  const header = (name: string) => printable(String(headers[name] ?? ''));
  const parts = [
    new Date().toISOString(),
    verdict({ rawBody, headers, secrets }),
    header('x-service-event') || `${method} ${printable(url ?? '')}`,
    header('x-service-delivery') && `delivery ${header('x-service-delivery')}`,
    header('x-service-attempt') && `attempt ${header('x-service-attempt')}`,
    header('x-service-sequence') && `sequence ${header('x-service-sequence')}`,
    header('x-service-request') && `request ${header('x-service-request')}`,
    `${rawBody.length} bytes`,
    `answered ${status}`,
  ];
  return parts.filter((part) => part !== '').join('  ');
}

/** Both kinds of signature, verified as a receiver would. */
function verdict({ rawBody, headers, secrets }: { rawBody: Buffer; headers: IncomingMessage['headers']; secrets: string[] }): string {
  if (secrets.length === 0) return 'NOT VERIFIED';
  if (!verifySignature({ rawBody, headers, secrets })) return 'BAD SIGNATURE';
  const standard = headers['webhook-signature'] === undefined || verifySignature({ scheme: 'standard', rawBody, headers, secrets });
  return standard ? 'verified' : 'BAD webhook-signature';
}

/** Indented JSON, for display only: the signature covers the bytes as they arrived. */
function pretty(rawBody: Buffer): string {
  const text = rawBody.toString('utf8');
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return printable(text);
  }
}

/** Untrusted text must not control the terminal. */
function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, (character) =>
    character === '\n' ? '\n' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function webAddress(text: string): string {
  if (!URL.canParse(text) || !/^https?:/i.test(text))
    throw new InvalidArgumentError('It must be a URL such as http://127.0.0.1:8080/hooks.');
  return text;
}

program.parseAsync().catch((error: unknown) => {
  console.error(error instanceof CannotStart ? error.message : error);
  process.exitCode = 1;
});
