/** The thread of passwords.ts: a hash takes a processor for a third of a second. */
import { type ScryptOptions, scryptSync } from 'node:crypto';
import { answerEach } from './own-thread.ts';

export interface ToHash {
  password: string;
  salt: Uint8Array;
  bytes: number;
  options: ScryptOptions;
}

answerEach(({ password, salt, bytes, options }: ToHash): Uint8Array => scryptSync(password, salt, bytes, options));
