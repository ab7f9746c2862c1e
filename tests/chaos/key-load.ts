/**
 * Keys and subscriptions that come and go under faults. Each life makes a key, which subscribes; then its secret is rotated, it is
 * disabled, or its events are sent again, and at last the key is revoked. Every answer is kept with its times.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { type Random, seededRandom } from '../../tools/local/random.ts';
import { isSuccess, type Request, send } from '../kit/http.ts';
import { startClients } from '../kit/load.ts';
import type { KeyLife, Span } from './key-life.ts';
import { answerWithinMs, sendAgain } from './repeat.ts';

export interface KeyLoad {
  lives: KeyLife[];
  /** Resolves when what is under way has ended. */
  stop(): Promise<void>;
}

export interface KeyLoadOptions {
  api: string[];
  /** Of an admin, and what its session asks for again after ten minutes. */
  token: string;
  password: string;
  /** Where the subscriptions of all lives send to; each adds its number. */
  url: string;
  events: string[];
  seed: number;
}

const livesAtOnce = 2;
const repeats = 6;
const afterMs = 300;
/** Long enough for deliveries in between. */
const stepMs = 700;
const looksPerStep = 3;
/** Few subscriptions of a store may be there at once; one whose events were sent again stays until the end. */
const keptMax = 6;
const replayedMax = 40;

interface Living extends KeyLoadOptions {
  random: Random;
  lives: KeyLife[];
}

export function startKeyLoad(options: KeyLoadOptions): KeyLoad {
  const lives: KeyLife[] = [];
  const randoms = Array.from({ length: livesAtOnce }, (_, actor) => seededRandom(options.seed * 100 + actor));
  return { lives, ...startClients(livesAtOnce, 0, (actor) => live({ ...options, random: randoms[actor]!, lives })) };
}

async function live(actor: Living): Promise<void> {
  const { random, lives, events, url, token, password } = actor;
  const name = `life-${lives.length}-${random.between(0, 1e9)}`;
  const staff = { token };
  await done(actor, 'POST', '/staff_sessions/confirm', { ...staff, body: { password } });
  const body = { api_key: { name, scopes: ['webhooks:manage', 'products:read'] } };
  const created = await done(actor, 'POST', '/api_keys', { ...staff, body });
  if (!created) return;
  const byKey = { key: created.body.key as string };
  const path = `/${name}`;
  const none = { looks: [], silences: [], secrets: [], replays: [], revoked: null };
  const life: KeyLife = { key: created.body.api_key.id, subscription: null, path, ...none };
  lives.push(life);
  await look(actor, byKey, life);
  const webhook_subscription = { url: `${url}${path}`, events };
  const subscribed = await done(actor, 'POST', '/webhook_subscriptions', { ...byKey, body: { webhook_subscription } });
  if (subscribed) {
    life.subscription = subscribed.body.data.id;
    life.secrets.push({ secret: subscribed.body.data.secret, since: subscribed.span });
    await wait(stepMs);
    await change(actor, byKey, life);
    await look(actor, byKey, life);
    if (life.replays.length > 0 && lives.filter(({ revoked }) => revoked === null).length <= keptMax) return;
  }
  life.revoked = (await done(actor, 'DELETE', `/api_keys/${life.key}`, staff))?.span ?? 'in doubt';
  await look(actor, byKey, life);
  if (life.subscription === null) return;
  await wait(stepMs);
  await done(actor, 'DELETE', `/webhook_monitor/${life.subscription}`, staff);
}

/** Of a secret, of whether it is sent to, or of what is sent again. */
async function change(actor: Living, byKey: Request, life: KeyLife): Promise<void> {
  const path = `/webhook_subscriptions/${life.subscription}`;
  const activate = (active: boolean) => done(actor, 'PATCH', path, { ...byKey, body: { webhook_subscription: { active } } });
  const kind = actor.random.next();
  if (kind < 0.3) {
    const rotated = await done(actor, 'POST', `/webhook_monitor/${life.subscription}/rotate_secret`, { token: actor.token });
    life.secrets.push({ secret: rotated?.body.secret ?? '', since: rotated?.span ?? 'in doubt' });
    await wait(stepMs);
  } else if (kind < 0.65) {
    const paused = await activate(false);
    await wait(stepMs);
    const untilMs = Date.now();
    await activate(true);
    if (paused) life.silences.push({ sinceMs: paused.span.endedMs, untilMs });
  } else {
    const page = await done(actor, 'GET', '/events?per_page=1', byKey);
    const after_seq = Math.max(0, (page?.body.data.latest_sequence ?? 0) - replayedMax);
    const sent = await done(actor, 'POST', `${path}/replay`, { ...byKey, body: { after_seq } });
    if (sent) life.replays.push({ ...sent.body.data, invokedMs: sent.span.invokedMs });
  }
}

/** What the key is answered at each gateway. */
async function look({ api }: Living, byKey: Request, life: KeyLife): Promise<void> {
  for (let n = 0; n < looksPerStep; n++)
    for (const gateway of api) {
      const invokedMs = Date.now();
      const { status } = await send('GET', `${gateway}/key`, { ...byKey, withinMs: answerWithinMs });
      life.looks.push({ invokedMs, endedMs: Date.now(), status });
    }
}

/** The answer of a success; undefined: the outcome was never known, or it was refused. */
async function done({ api, random }: Living, method: string, path: string, request: Request) {
  const idempotencyKey = `life-${random.between(0, 1e9)}-${random.between(0, 1e9)}`;
  const invokedMs = Date.now();
  const answer = await sendAgain({ api, random, method, path, idempotencyKey, repeats, afterMs, ...request });
  // A millisecond that has begun is over by then for every clock of this machine.
  const span: Span = { invokedMs, endedMs: Date.now() + 1 };
  return isSuccess(answer) ? { body: answer.body, span } : undefined;
}
