/** Subscribers' HTTPS servers that keep what they receive, byte for byte, and answer as scripted. */
import { createHash } from 'node:crypto';
import { verifySignature } from '@store/verify';
import { eventOf, type Hook, isSigned, openReceiver } from '../kit/receiver.ts';
import type { Arrival, ReceiverHistory } from './history.ts';

interface Script {
  name: string;
  accepts: ReceiverHistory['accepts'];
  events: string[];
  /** `share` is 0 to 255, the same for every attempt of an event. */
  answer(attempt: number, share: number): number | 'none' | 'reset';
}

export interface ScriptedReceiver {
  script: Script;
  url: string;
  posts: Hook[];
}

export interface Receivers {
  all: ScriptedReceiver[];
  /** For subscriptions that come and go, by the path behind its own. */
  passing: ScriptedReceiver;
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
      return share % 8 === 0 ? 'reset' : share === 1 ? 'none' : 200;
    },
  },
  { name: 'refusing', accepts: 'never', events: ['product.created'], answer: () => 410 },
];

const passing: Script = { name: 'passing', accepts: 'always', events: ['product.updated'], answer: () => 200 };

export async function openReceivers(): Promise<Receivers> {
  const played = [...scripts, passing];
  const receiver = await openReceiver({ servers: played.length });
  const all = played.map((script, n): ScriptedReceiver => ({ script, url: `${receiver.urls[n]}/${script.name}`, posts: [] }));
  receiver.answer = (hook) => {
    const { script, posts } = all.find(({ script: { name } }) => hook.path.split('/')[1] === name)!;
    posts.push(hook);
    const answer = script.answer(Number(hook.headers['x-service-attempt']), shareOf(hook));
    return typeof answer === 'number' ? { status: answer, headers: { 'Content-Length': '0' } } : answer;
  };
  const env = { ...receiver.env, WEBHOOK_RETRY_WAITS_MS: retryWaitsMs.join(',') };
  return { all: all.slice(0, -1), passing: all.at(-1)!, env, close: () => receiver.close() };
}

function shareOf(hook: Hook): number {
  return createHash('sha256').update(eventOf(hook)).digest()[0]!;
}

/** Both signatures are checked as a receiver would, against the time of arrival. */
export function arrivalsOf(posts: Hook[], secret: string): Arrival[] {
  return posts.map((hook) => {
    const { body, headers, atMs } = hook;
    const now = new Date(performance.timeOrigin + atMs);
    return {
      eventId: eventOf(hook),
      name: String(headers['x-service-event']),
      attempt: Number(headers['x-service-attempt']),
      hash: createHash('sha256').update(body).digest('hex'),
      verified: isSigned(hook, secret) && verifySignature({ scheme: 'standard', now, rawBody: body, headers, secrets: [secret] }),
    };
  });
}
