/** The checker of keys and subscriptions finds each kind of damage, and nothing in a valid history. */
import { describe, expect, test } from '@jest/globals';
import { checkKeys } from './check-keys.ts';
import { nothing } from './history.ts';
import type { KeyLife } from './key-life.ts';

/** A key whose subscription was disabled for a while and got a new secret; another whose events were sent again. */
function soundLives(): KeyLife[] {
  const life = { key: 5, subscription: 6, path: '/life', silences: [], replays: [], revoked: null };
  const first = { secret: 'a', since: { invokedMs: 10, endedMs: 11 } };
  const line = { sequence: 4, manual: false, addedAtMs: 20, atMs: 21, verifiesWith: [0] };
  return [
    {
      ...life,
      looks: [
        { invokedMs: 5, endedMs: 6, status: 200 },
        { invokedMs: 99, endedMs: 101, status: 401 },
        { invokedMs: 106, endedMs: 107, status: 401 },
      ],
      silences: [{ sinceMs: 60, untilMs: 70 }],
      secrets: [first, { secret: 'b', since: { invokedMs: 40, endedMs: 45 } }],
      revoked: { invokedMs: 100, endedMs: 105 },
      sent: [
        { ...line, eventId: 'e1' },
        { ...line, eventId: 'e2', addedAtMs: 42, atMs: 55 },
        { ...line, eventId: 'e3', addedAtMs: 71, atMs: 71, verifiesWith: [1] },
      ],
    },
    {
      ...life,
      looks: [{ invokedMs: 5, endedMs: 6, status: 503 }],
      secrets: [first],
      replays: [{ invokedMs: 50, replayed: 1, from_sequence: 4, to_sequence: 4 }],
      sent: [
        { ...line, eventId: 'e1' },
        { ...line, eventId: 'e1', manual: true, addedAtMs: 51, atMs: 52 },
      ],
    },
  ];
}

const rules = (lives: KeyLife[]) => checkKeys({ ...nothing, lives }).map(({ rule }) => rule);
const changed = <T>(list: T[], index: number, change: (one: T) => T): T[] => list.map((one, n) => (n === index ? change(one) : one));

test('sound lives break no rule', () => expect(rules(soundLives())).toEqual([]));

/** One of a life's looks, or of what was sent, changed. */
const inLook = (lives: KeyLife[], life: number, look: number, status: number) =>
  changed(lives, life, (one) => ({ ...one, looks: changed(one.looks, look, (asked) => ({ ...asked, status })) }));
const inSent = (lives: KeyLife[], life: number, line: number, changes: object) =>
  changed(lives, life, (one) => ({ ...one, sent: changed(one.sent!, line, (sent) => ({ ...sent, ...changes })) }));

const damages: [rule: string, damage: (lives: KeyLife[]) => KeyLife[]][] = [
  ['key-refused', (lives) => inLook(lives, 0, 0, 401)],
  ['key-refused', (lives) => inLook(lives, 1, 0, 401)],
  ['key-admitted', (lives) => inLook(lives, 0, 2, 200)],
  ['post-silenced', (lives) => inSent(lives, 0, 1, { atMs: 65 })],
  ['post-silenced', (lives) => inSent(lives, 0, 2, { atMs: 106 })],
  ['secret', (lives) => inSent(lives, 0, 0, { verifiesWith: [] })],
  ['secret', (lives) => inSent(lives, 0, 2, { verifiesWith: [0] })],
  ['replay-lost', (lives) => changed(lives, 1, (life) => ({ ...life, sent: life.sent!.slice(0, 1) }))],
];

describe('each kind of damage is found, and nothing else', () => {
  test.each(damages)('%s', (rule, damage) => expect(rules(damage(soundLives()))).toEqual([rule]));
});
