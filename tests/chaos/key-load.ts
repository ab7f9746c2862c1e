/**
 * Keys and subscriptions that come and go under faults. Each life makes a key, which subscribes; then its secret is rotated, it is
 * disabled, or its events are sent again, and at last the key is revoked. Every answer is kept with its times.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { type Answered, ask } from './ask.ts';
import type { KeyLife, Span } from './key-life.ts';
import { type Random, seededRandom } from './random.ts';

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
const answerWithinMs = 12_000;
const repeatsMax = 6;
const repeatAfterMs = 300;
/** Long enough for deliveries in between. */
const stepMs = 700;
const looksPerStep = 3;
/** Few subscriptions of a store may be there at once; one whose events were sent again stays until the end. */
const keptMax = 6;
const replayedMax = 40;

type Replayed = Omit<KeyLife['replays'][number], 'invokedMs'>;

export function startKeyLoad(options: KeyLoadOptions): KeyLoad {
  const lives: KeyLife[] = [];
  const stopping = new AbortController();
  const running = Array.from({ length: livesAtOnce }, async (_, actor) => {
    const random = seededRandom(options.seed * 100 + actor);
    while (!stopping.signal.aborted) await live({ ...options, random, lives });
  });
  return {
    lives,
    stop: async () => {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

interface Living extends KeyLoadOptions {
  random: Random;
  lives: KeyLife[];
}

async function live(actor: Living): Promise<void> {
  const { random, lives, events, url } = actor;
  const name = `life-${lives.length}-${random.between(0, 1e9)}`;
  const staff = { Authorization: `Bearer ${actor.token}` };
  await done(actor, staff, 'POST', '/staff_sessions/confirm', { password: actor.password });
  const scopes = ['webhooks:manage', 'products:read'];
  const made = await done<{ api_key: { id: number }; key: string }>(actor, staff, 'POST', '/api_keys', { api_key: { name, scopes } });
  if (!made) return;
  const byKey = { 'X-API-Key': made.answer.key };
  const path = `/${name}`;
  const life: KeyLife = {
    key: made.answer.api_key.id,
    subscription: null,
    path,
    looks: [],
    silences: [],
    secrets: [],
    replays: [],
    revoked: null,
  };
  lives.push(life);
  await look(actor, byKey, life);
  const subscription = { url: `${url}${path}`, events };
  const subscribed = await done<{ data: { id: number; secret: string } }>(actor, byKey, 'POST', '/webhook_subscriptions', {
    webhook_subscription: subscription,
  });
  if (subscribed) {
    life.subscription = subscribed.answer.data.id;
    life.secrets.push({ secret: subscribed.answer.data.secret, since: subscribed.span });
    await wait(stepMs);
    await change(actor, byKey, staff, life);
    await look(actor, byKey, life);
    if (life.replays.length > 0 && lives.filter(({ revoked }) => revoked === null).length <= keptMax) return;
  }
  life.revoked = (await done(actor, staff, 'DELETE', `/api_keys/${life.key}`))?.span ?? 'in doubt';
  await look(actor, byKey, life);
  if (life.subscription !== null) {
    await wait(stepMs);
    await done(actor, staff, 'DELETE', `/webhook_monitor/${life.subscription}`);
  }
}

/** Of a secret, of whether it is sent to, or of what is sent again. */
async function change(actor: Living, byKey: Headers, staff: Headers, life: KeyLife): Promise<void> {
  const path = `/webhook_subscriptions/${life.subscription}`;
  const kind = actor.random.next();
  if (kind < 0.3) {
    const rotated = await done<{ secret: string }>(actor, staff, 'POST', `/webhook_monitor/${life.subscription}/rotate_secret`);
    life.secrets.push({ secret: rotated?.answer.secret ?? '', since: rotated?.span ?? 'in doubt' });
    await wait(stepMs);
  } else if (kind < 0.65) {
    const paused = await done(actor, byKey, 'PATCH', path, { webhook_subscription: { active: false } });
    await wait(stepMs);
    const untilMs = Date.now();
    await done(actor, byKey, 'PATCH', path, { webhook_subscription: { active: true } });
    if (paused) life.silences.push({ sinceMs: paused.span.endedMs, untilMs });
  } else {
    const page = await done<{ data: { latest_sequence: number } }>(actor, byKey, 'GET', '/events?per_page=1');
    const after_seq = Math.max(0, (page?.answer.data.latest_sequence ?? 0) - replayedMax);
    const sent = await done<{ data: Replayed }>(actor, byKey, 'POST', `${path}/replay`, { after_seq });
    if (sent) life.replays.push({ ...sent.answer.data, invokedMs: sent.span.invokedMs });
  }
}

/** What the key is answered at each gateway. */
async function look({ api }: Living, byKey: Headers, life: KeyLife): Promise<void> {
  for (let n = 0; n < looksPerStep; n++)
    for (const gateway of api) {
      const invokedMs = Date.now();
      const { status } = await ask(`${gateway}/key`, { headers: byKey, withinMs: answerWithinMs });
      life.looks.push({ invokedMs, endedMs: Date.now(), status });
    }
}

type Headers = Record<string, string>;

/** Asked again under one Idempotency-Key until the outcome is known; undefined: it never was, or it was refused. */
async function done<T>(
  actor: Living,
  as: Headers,
  method: string,
  path: string,
  body?: object,
): Promise<{ answer: T; span: Span } | undefined> {
  const { api, random } = actor;
  const headers = {
    'Content-Type': 'application/json',
    'Idempotency-Key': `life-${random.between(0, 1e9)}-${random.between(0, 1e9)}`,
    ...as,
  };
  const first = random.between(0, api.length - 1);
  const invokedMs = Date.now();
  for (let time = 0; time <= repeatsMax; time++) {
    if (time > 0) await wait(repeatAfterMs);
    const text = body && { body: JSON.stringify(body) };
    const answered: Answered = await ask(`${api[(first + time) % api.length]}${path}`, {
      method,
      headers,
      ...text,
      withinMs: answerWithinMs,
    });
    if (answered.status >= 200 && answered.status < 300) {
      // A millisecond that has begun is over by then for every clock of this machine.
      const endedMs = Date.now() + 1;
      return { answer: (answered.text === '' ? undefined : JSON.parse(answered.text)) as T, span: { invokedMs, endedMs } };
    }
  }
  return undefined;
}
