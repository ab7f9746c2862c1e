import type { Db, EntityManager } from '@store/db';
import type { CustomerFact, Message } from '@store/events';
import { saveCustomers } from './customer-copy.ts';
import { moveMerged } from './move-merged.ts';

/** Events of any name: archiving and changes without a public event update the copy too. */
export function wantsCustomer(message: Message): boolean {
  return message.internal?.customer !== undefined;
}

export async function consumeCustomers({ clock }: Pick<Db, 'clock'>, em: EntityManager, messages: Message[]): Promise<void> {
  await saveCustomers(
    em,
    messages.map((message) => ({ storeId: message.storeId, version: message.version ?? 0, customer: factOf(message) })),
  );
  for (const message of messages) {
    const { id, merged_into } = factOf(message);
    if (merged_into !== undefined) await moveMerged(em, message.storeId, id, clock.now());
  }
}

/** Throws at an invalid customer, so that it ends in dead_letters. */
function factOf({ internal }: Message): CustomerFact {
  const fact: Partial<CustomerFact> = internal!.customer!;
  if (!Number.isSafeInteger(fact.id) || typeof fact.name !== 'string') throw new Error('the message holds no customer');
  return {
    id: fact.id!,
    name: fact.name,
    customer_code: fact.customer_code ?? null,
    email: fact.email ?? null,
    phone: fact.phone ?? null,
    archived: fact.archived === true,
    ...(Number.isSafeInteger(fact.merged_into) && { merged_into: fact.merged_into! }),
  };
}
