/** New passwords: what is easy to guess is refused (D264). */
import { Worker } from 'node:worker_threads';
import { invalid } from '@store/problem';
import type { Passwords } from './passwords.ts';

/** Of zxcvbn's 0 to 4: safely unguessable, 10^8 guesses at least. */
const scoreMin = 3;
/** Scoring takes time by the square of the length; further characters can only make a password stronger. */
const judgedMax = 100;
/** Heap of the scoring thread: the dictionaries take 30 MB of it. */
export const judgeHeapMb = 64;
/** The thread gives its memory back after that time without work. */
const idleMs = 30_000;

/** The hash of a new password, or the 422; `about` are texts that its owner's password must not rest on, such as the name. */
export async function hashNewPassword(passwords: Passwords, password: string, about: string[]): Promise<string> {
  const words = about.flatMap((text) => [text, ...text.split(/[\s@.]+/)]).filter((text) => text !== '');
  const score = await passwords.inTurn(() => scoreOf(password.slice(0, judgedMax), words));
  if (score < scoreMin) throw invalid(['Password is too easy to guess']);
  return passwords.hash(password);
}

interface Judge {
  thread: Worker;
  /** In the order of the questions, in which they are answered. */
  waiting: { resolve(score: number): void; reject(error: Error): void }[];
  idle?: NodeJS.Timeout;
}

let judge: Judge | undefined;

function scoreOf(password: string, about: string[]): Promise<number> {
  judge ??= openJudge();
  const { thread, waiting, idle } = judge;
  clearTimeout(idle);
  thread.ref();
  return new Promise((resolve, reject) => {
    waiting.push({ resolve, reject });
    thread.postMessage({ password, about });
  });
}

function openJudge(): Judge {
  const opened: Judge = {
    thread: new Worker(new URL('./score-password.ts', import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: judgeHeapMb } }),
    waiting: [],
  };
  const { thread, waiting } = opened;
  const close = () => {
    if (judge === opened) judge = undefined;
    return thread.terminate();
  };
  thread.on('message', (score: number) => {
    waiting.shift()?.resolve(score);
    if (waiting.length > 0) return;
    thread.unref();
    opened.idle = setTimeout(close, idleMs).unref();
  });
  thread.on('error', (error) => {
    void close();
    for (const { reject } of waiting.splice(0)) reject(error as Error);
  });
  return opened;
}
