/** As much of catalog and customers as the register asks for, in memory. */
import { Problem } from '@store/problem';
import type { Caller } from '@store/rpc';
import type { Sales } from '../src/sales.ts';

export interface FakeProduct {
  storeId: number;
  name: string;
  sku?: string;
  price?: string;
  cost?: string;
  blockManualDiscounts?: boolean;
  hasVariations?: boolean;
  isBundle?: boolean;
}

export class FakeCatalog {
  readonly products = new Map<number, FakeProduct>();
  asked = 0;
  isDown = false;

  async GetSaleProducts({ ids = [] }: { ids?: unknown[] }, { caller }: { caller: Caller }) {
    this.asked += 1;
    if (this.isDown) throw new Problem('unavailable', 'catalog is down');
    const products = ids.map(Number).flatMap((id) => {
      const product = this.products.get(id);
      if (product?.storeId !== caller.storeId) return [];
      const { name, sku, price = '1.00', cost, blockManualDiscounts, hasVariations, isBundle } = product;
      const flags = { block_manual_discounts: blockManualDiscounts, has_variations: hasVariations, is_bundle: isBundle };
      return [{ id: String(id), name, ...(sku && { sku }), effective_price: price, ...(cost && { cost }), ...flags }];
    });
    return { products };
  }

  /** As the client that sales calls. */
  get rpcs(): Sales['catalog'] {
    return { GetSaleProducts: this.GetSaleProducts.bind(this) } as unknown as Sales['catalog'];
  }
}

type Take = Partial<Record<'intent_id' | 'sale_id' | 'customer_id', unknown>> & { amount?: string };
const money = (cents: number) => (cents / 100).toFixed(2);
const invalid = (error: string) => new Problem('invalid', `Validation failed: ${error}`, { errors: [error] });

/** Balances of store credit in cents; one take per intent, given back at most once, also before it is taken. */
export class FakeCustomers {
  readonly balances = new Map<number, number>();
  readonly taken = new Map<number, { customerId: number; cents: number }>();
  readonly givenBack = new Set<number>();
  /** Customers that the copy may not have yet. */
  readonly known = new Map<number, object>();
  isDown = false;
  /** What a day's report is answered, and the window that it asked for. */
  sums: object[] = [];
  summed: unknown;
  /** Takes the credit and then fails, as an answer that is lost does. */
  losesAnswers = false;

  async TakeStoreCredit({ intent_id, customer_id, amount = '0' }: Take) {
    this.#demandUp();
    const [intent, customerId, cents] = [Number(intent_id), Number(customer_id), Math.round(Number(amount) * 100)];
    const balance = this.balances.get(customerId) ?? 0;
    if (this.givenBack.has(intent)) throw invalid('given back');
    // Taken before: answered again, as customers does.
    if (this.taken.has(intent)) return { balance: money(balance) };
    if (cents > balance) throw invalid('Store credit is too small');
    this.balances.set(customerId, balance - cents);
    this.taken.set(intent, { customerId, cents });
    if (this.losesAnswers) throw new Problem('unavailable', 'the answer is lost');
    return { balance: money(balance - cents) };
  }

  async GiveBackStoreCredit({ intent_id }: Take) {
    this.#demandUp();
    const intent = Number(intent_id);
    const take = this.taken.get(intent);
    if (this.givenBack.has(intent)) return { given_back: false };
    this.givenBack.add(intent);
    if (take) this.balances.set(take.customerId, this.balances.get(take.customerId)! + take.cents);
    return { given_back: take !== undefined };
  }

  async SumStoreCredit({ from, to }: { from?: string; to?: string }) {
    this.#demandUp();
    this.summed = { from, to };
    return { sums: this.sums };
  }

  async GetCustomers({ ids = [] }: { ids?: unknown[] }) {
    this.#demandUp();
    return { customers: ids.flatMap((id) => this.known.get(Number(id)) ?? []) };
  }

  #demandUp(): void {
    if (this.isDown) throw new Problem('unavailable', 'customers is down');
  }

  /** As the client that sales calls. */
  get rpcs(): Sales['customers'] {
    const names = ['SumStoreCredit', 'TakeStoreCredit', 'GiveBackStoreCredit', 'GetCustomers'] as const;
    return Object.fromEntries(names.map((name) => [name, this[name].bind(this)])) as unknown as Sales['customers'];
  }
}
