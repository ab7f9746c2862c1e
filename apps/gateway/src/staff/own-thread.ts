/**
 * Work that takes a processor for long runs in a thread of its own, one question after another. Requests run first: the thread's priority
 * is lower than theirs, and it still takes what they leave. Without questions it ends, and gives its memory back.
 */
import { existsSync, readlinkSync } from 'node:fs';
import os from 'node:os';
import { parentPort, Worker, type WorkerOptions } from 'node:worker_threads';

const idleMs = 30_000;
/** Of 19 (least) and 0 (usual): about a ninth of the processor where everything wants it. */
const lowPriority = 10;

interface Running<Answer> {
  thread: Worker;
  /** In the order of the questions, in which they are answered. */
  waiting: { resolve(answer: Answer): void; reject(error: unknown): void }[];
  idle?: NodeJS.Timeout;
}

export class OwnThread<Question, Answer> {
  readonly #file: URL;
  readonly #options: WorkerOptions;
  #running: Running<Answer> | undefined;

  /** `file` calls `answerEach`. */
  constructor(file: URL, options: WorkerOptions) {
    this.#file = file;
    this.#options = options;
  }

  /** Questions without an answer yet. */
  get waiting(): number {
    return this.#running?.waiting.length ?? 0;
  }

  ask(question: Question): Promise<Answer> {
    this.#running ??= this.#open();
    const { thread, waiting, idle } = this.#running;
    clearTimeout(idle);
    thread.ref();
    return new Promise((resolve, reject) => {
      waiting.push({ resolve, reject });
      thread.postMessage(question);
    });
  }

  #open(): Running<Answer> {
    const running: Running<Answer> = { thread: new Worker(this.#file, this.#options), waiting: [] };
    const { thread, waiting } = running;
    const close = () => {
      if (this.#running === running) this.#running = undefined;
      return thread.terminate();
    };
    thread.on('message', (answer: Answer) => {
      waiting.shift()?.resolve(answer);
      if (waiting.length > 0) return;
      thread.unref();
      running.idle = setTimeout(close, idleMs).unref();
    });
    thread.on('error', (error) => {
      void close();
      for (const { reject } of waiting.splice(0)) reject(error);
    });
    return running;
  }
}

/** Called in the thread. */
export function answerEach<Question, Answer>(answer: (question: Question) => Answer): void {
  yieldProcessor();
  parentPort!.on('message', (question: Question) => parentPort!.postMessage(answer(question)));
}

/** Only Linux has a priority for each thread; elsewhere, and where it is not permitted, the thread runs as any. */
function yieldProcessor(): void {
  const self = '/proc/thread-self';
  if (!existsSync(self)) return;
  try {
    os.setPriority(Number(readlinkSync(self).split('/').at(-1)), lowPriority);
  } catch (error) {
    if (!['EACCES', 'EPERM'].includes((error as { info?: { code: string } }).info?.code ?? '')) throw error;
  }
}
