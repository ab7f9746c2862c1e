/** Passwords as scrypt hashes (N=2^17, r=8, p=1), at most two at a time, store by store in turn (D256), in a bounded queue. */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { type Clock, systemClock } from '@store/db';
import { type Problem, rateLimited } from '@store/problem';
import { LineFull, Shares } from '@store/shares';
import { presentAsker, presentHolder, TurnTimeout, takeTurn } from '@store/shares/asker';
import type { ToHash } from './hash-password.ts';
import { OwnThread } from './own-thread.ts';

export const scryptCostDefault = 2 ** 17;
const blockSize = 8;
const parallelization = 1;
const saltBytes = 16;
const hashBytes = 32;
const concurrentMax = 2;
/** Heap of a hashing thread; what scrypt fills is beside it. */
const threadHeapMb = 16;
const waitingMax = 100;
const waitingOfOneMax = waitingMax / 4;
/** Reserved for the hash itself; one that begins later overruns the deadline. */
const hashTakesMs = 1_000;

/** Memory that logins take at most, beside the heap: of each a thread, and what scrypt fills. */
export const hashingBytesMax = concurrentMax * (threadHeapMb * 2 ** 20 + 128 * blockSize * scryptCostDefault);

export const passwordMin = 12;
/** Longer than any passphrase. NFKC takes quadratic time, so a longer text is refused before it is processed. */
export const passwordMax = 256;

/** Cannot be a password; checked before the text is normalised, hashed or queued. */
export function isTooLong(password: string): boolean {
  return password.length > passwordMax;
}

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Compares with a stored hash; without one it takes as long and returns false. */
  matches(password: string, stored: string | undefined): Promise<boolean>;
  /** Runs `work` when it is the turn of the present asker's store, so that its checks are current when it hashes. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
}

/** `cost` is scrypt's N, a power of two; tests make it small. Without half of the `processors` all requests would wait for a hash. */
export function openPasswords(
  cost: number = scryptCostDefault,
  clock: Clock = systemClock,
  processors: number = availableParallelism(),
): Passwords {
  const inTurn = turns(clock, processors);
  const derive = derives();
  const dummy = format(cost, randomBytes(saltBytes), randomBytes(hashBytes));
  return {
    inTurn,
    hash: (password) =>
      inTurn(async () => {
        const salt = randomBytes(saltBytes);
        return format(cost, salt, await derive(password, salt, cost));
      }),
    matches: async (password, stored) => {
      if (isTooLong(password)) return false;
      const [, storedCost, salt, expected] = (stored ?? dummy).split('$');
      const actual = await derive(password, Buffer.from(salt!, 'base64'), Number(storedCost));
      return timingSafeEqual(actual, Buffer.from(expected!, 'base64')) && stored !== undefined;
    },
  };
}

function format(cost: number, salt: Buffer, hash: Buffer): string {
  return ['scrypt', cost, salt.toString('base64'), hash.toString('base64')].join('$');
}

type Derive = (password: string, salt: Buffer, cost: number) => Promise<Buffer>;

function derives(): Derive {
  const options = { resourceLimits: { maxOldGenerationSizeMb: threadHeapMb } };
  const threads = Array.from(
    { length: concurrentMax },
    () => new OwnThread<ToHash, Uint8Array>(new URL('./hash-password.ts', import.meta.url), options),
  );
  return async (password, salt, cost) => {
    if (isTooLong(password)) throw new Error('a password is checked before it is hashed');
    const thread = threads.reduce((first, next) => (next.waiting < first.waiting ? next : first));
    // The same text typed on two keyboards may differ in its code points; NFKC normalises it.
    const question = { password: password.normalize('NFKC'), salt, bytes: hashBytes };
    return Buffer.from(
      await thread.ask({ ...question, options: { N: cost, r: blockSize, p: parallelization, maxmem: 256 * blockSize * cost } }),
    );
  };
}

/** The 429 is for the store of which most wait. */
function turns(clock: Clock, processors: number): Passwords['inTurn'] {
  const shares = new Shares(Math.max(1, Math.min(concurrentMax, Math.floor(processors / 2))), waitingMax);
  return async (work) => {
    if (shares.waitingOf(presentHolder()) >= waitingOfOneMax) throw tooManyWaiting(clock.now());
    const holder = await takeTurn(shares, (presentAsker()?.deadlineMs ?? Number.POSITIVE_INFINITY) - hashTakesMs).catch(
      (error: unknown) => {
        throw error instanceof LineFull || error instanceof TurnTimeout ? tooManyWaiting(clock.now()) : error;
      },
    );
    try {
      return await work();
    } finally {
      shares.give(holder);
    }
  };
}

function tooManyWaiting(now: Date): Problem {
  return rateLimited({ limit: waitingOfOneMax, now, until: new Date(now.getTime() + 1_000) });
}
