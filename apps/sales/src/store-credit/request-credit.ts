import type { Call } from '@store/rpc';
import type { Sales } from '../sales.ts';
import { addIntent, type Intent, releaseIntent, takeCredit, type WantedCredit } from './credit-intents.ts';

/** The store credit that one request takes. When the request ends, credit that no committed sale claimed is given back. */
export class RequestCredit {
  readonly #app: Sales;
  readonly #call: Call;
  #intent: Intent | undefined;

  constructor(app: Sales, call: Call) {
    this.#app = app;
    this.#call = call;
  }

  async take(wanted: WantedCredit): Promise<Intent> {
    const intent = await addIntent(this.#app, this.#call, wanted);
    // The request that left it may be under way still; otherwise the sweep gives back what is not claimed.
    if (intent.isNew) this.#intent = intent;
    await takeCredit(this.#app, this.#call, intent);
    return intent;
  }

  async release(): Promise<void> {
    if (this.#intent) await releaseIntent(this.#app, this.#call.caller, this.#intent);
  }
}
