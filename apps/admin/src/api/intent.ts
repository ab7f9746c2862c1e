/** What one form, or one button, asks of the store: however often it is sent, it takes effect once. */

import { t } from '../language/t.ts';
import type { Answer, call, Input, OperationName } from './client.ts';
import { operations } from './gen/operations.js';
import { isForgotten } from './idempotency-key.ts';
import { ApiProblem, isForbidden, isGone, isUnanswered, LostAnswer, mayHaveActed } from './problem.ts';

/** Idempotency-Keys of what was sent and has no answer, by its content. */
export type Owed = Pick<Map<string, string>, 'get' | 'delete' | 'clear' | 'size'> & { set(content: string, key: string): unknown };

export class Intent {
  readonly #owed: Owed;
  readonly #isKept: boolean;
  readonly #call: typeof call;
  readonly #newKey: () => string;

  /** `kept`: outlives the page, which may be left or loaded anew before the answer comes. */
  constructor(send: typeof call, newKey: () => string, kept?: Owed) {
    this.#owed = kept ?? new Map();
    this.#isKept = kept !== undefined;
    this.#call = send;
    this.#newKey = newKey;
  }

  /** Whether something was sent that may have been recorded. */
  get isOwed(): boolean {
    return this.#owed.size > 0;
  }

  /** What is sent from now on is something else, even with the same content. */
  forget(): void {
    this.#owed.clear();
  }

  /** Without an answer the same content goes out under the same key, until `forget`. */
  async send<Name extends OperationName>(name: Name, input: Input<Name> & { version?: string }): Promise<Answer<Name>> {
    const content = JSON.stringify([name, input]);
    const owed = this.#owed.get(content);
    if (owed !== undefined && isForgotten(owed)) {
      this.#owed.delete(content);
      throw new Error(t('It was sent more than a day ago, and may be recorded: look first, then send it again.'));
    }
    const idempotencyKey = owed ?? this.#newKey();
    if (this.#isKept) this.#owed.set(content, idempotencyKey);
    try {
      const answer = await this.#call(name, input, { idempotencyKey, version: input.version });
      this.#owed.delete(content);
      return answer;
    } catch (error) {
      if (error instanceof ApiProblem && (owed === undefined ? mayHaveActed(error) : isUnanswered(error) || isForbidden(error))) {
        this.#owed.set(content, idempotencyKey);
        throw new LostAnswer(error);
      }
      this.#owed.delete(content);
      // A DELETE takes no key: what the first one took away is not there for the second.
      const { method } = operations[name];
      if (owed !== undefined && method === 'DELETE' && isGone(error)) return undefined as never;
      throw error;
    }
  }
}
