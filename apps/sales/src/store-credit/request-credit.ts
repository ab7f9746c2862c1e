import type { Call } from '@store/rpc';
import type { Sales } from '../sales.ts';
import { addIntent, type Intent, releaseIntent, takeCredit, type WantedCredit } from './credit-intents.ts';

/** The store credit that one request takes. What no committed sale has claimed when the request ends is given back. */
export class RequestCredit {
  readonly #app: Sales;
  readonly #call: Call;
  #intent: Intent | undefined;

  constructor(app: Sales, call: Call) {
    this.#app = app;
    this.#call = call;
  }

  async take(wanted: WantedCredit): Promise<Intent> {
    this.#intent = await addIntent(this.#app, this.#call, wanted);
    await takeCredit(this.#app, this.#call, this.#intent);
    return this.#intent;
  }

  async release(): Promise<void> {
    if (this.#intent) await releaseIntent(this.#app, this.#call.caller, this.#intent);
  }
}
