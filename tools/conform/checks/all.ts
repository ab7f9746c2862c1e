import type { Check } from '../check.ts';
import type { Contract } from '../contract.ts';
import { accessChecks } from './access.ts';
import { authenticationChecks } from './authentication.ts';
import { bodyChecks } from './bodies.ts';
import { catalogueChecks } from './catalogue.ts';
import { customerChecks } from './customers.ts';
import { customerWriteChecks } from './customers-write.ts';
import { envelopeChecks } from './envelope.ts';
import { errorChecks } from './errors.ts';
import { eventChecks } from './events.ts';
import { limitChecks } from './limits.ts';
import { pagingChecks } from './paging.ts';
import { productChecks } from './products.ts';
import { bulkChecks } from './products-bulk.ts';
import { productWriteChecks } from './products-write.ts';
import { orderChecks } from './purchase-orders.ts';
import { repeatChecks } from './repeats.ts';
import { readOnlyResourceChecks } from './resources.ts';
import { saleChecks } from './sales.ts';
import { stockChecks } from './stock.ts';
import { strictChecks } from './strict.ts';
import { subscriptionChecks } from './subscriptions.ts';

/** In the order of the contract. Checks that are made from the reference come with every endpoint. */
export function allChecks(contract: Contract): Check[] {
  return [
    ...authenticationChecks(contract),
    ...accessChecks(contract),
    ...envelopeChecks(contract),
    ...errorChecks(contract),
    ...pagingChecks(contract),
    ...strictChecks(contract),
    ...bodyChecks(contract),
    ...productChecks,
    ...catalogueChecks,
    ...productWriteChecks,
    ...bulkChecks,
    ...stockChecks,
    ...customerChecks,
    ...customerWriteChecks,
    ...saleChecks,
    ...orderChecks,
    ...readOnlyResourceChecks,
    ...subscriptionChecks,
    ...eventChecks,
    ...repeatChecks,
    ...limitChecks,
  ];
}
