/** The customer that a new one would repeat: the same phone digits or the same e-mail (D77). */
import { type EntityManager, sql } from '@store/db';
import type { CustomerValues } from './customer.input.ts';
import { digitsOf, emailKeyOf } from './customer.ts';

/** Well-formed contacts that were sent; a malformed one takes no part (D226). */
export interface Contacts {
  phoneDigits: string | null;
  emailKey: string | null;
}

export function contactsOf({ phone, email }: CustomerValues): Contacts {
  return { phoneDigits: phone ? digitsOf(phone) : null, emailKey: email ? emailKeyOf(email) : null };
}

/** Customers are created one after the other per phone and per e-mail of the store, so that none is created twice. */
export async function lockContacts(em: EntityManager, storeId: number, { phoneDigits, emailKey }: Contacts): Promise<void> {
  // Always e-mail before phone, so that two requests with the same pair do not wait for each other.
  const keys = [emailKey && `customers:${storeId}:email:${emailKey}`, phoneDigits && `customers:${storeId}:phone:${phoneDigits}`];
  await sql(em, 'select pg_advisory_xact_lock(hashtextextended(key, 0)) from unnest($1::text[]) key', [keys.filter(Boolean)]);
}

/** Id of the match: by phone before by e-mail, the lowest id first; archived customers match nothing. */
export async function findDuplicate(em: EntityManager, storeId: number, { phoneDigits, emailKey }: Contacts): Promise<number | undefined> {
  const [found] = await sql<{ id: number }>(
    em,
    `select id from (
       select id, 1 as preference from customers.customers where store_id = $1 and archived_at is null and phone_digits = $2
       union all
       select id, 2 from customers.customers where store_id = $1 and archived_at is null and email_key = $3) matching
     order by preference, id limit 1`,
    [storeId, phoneDigits, emailKey],
  );
  return found?.id;
}
