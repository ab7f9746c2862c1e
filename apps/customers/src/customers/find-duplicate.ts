/** The customer that a new one would repeat: the same phone or the same e-mail (D77, D280). */
import { type EntityManager, sql } from '@store/db';
import { phoneNumberOf, writtenDigits } from '@store/input';
import type { Caller } from '@store/rpc';
import { emailKeyOf } from './customer.ts';

/** Well-formed contacts that were sent; a malformed one takes no part (D226). */
export interface Contacts {
  phone: string | null;
  emailKey: string | null;
  /** Of the store: it gives a phone without a country code its number. */
  country: string;
}

export function contactsOf({ phone, email }: { phone?: string | null; email?: string | null }, { country }: Caller): Contacts {
  return { phone: phone ?? null, emailKey: email ? emailKeyOf(email) : null, country };
}

/** Customers are created one after the other per phone and per e-mail of the store, so that none is created twice. */
export async function lockContacts(em: EntityManager, storeId: number, { phone, emailKey, country }: Contacts): Promise<void> {
  // Always e-mail before phone, so that two requests with the same pair do not wait for each other.
  const number = phone && phoneNumberOf(phone, country);
  const keys = [emailKey && `customers:${storeId}:email:${emailKey}`, number && `customers:${storeId}:phone:${number}`];
  await sql(em, 'select pg_advisory_xact_lock(hashtextextended(key, 0)) from unnest($1::text[]) key', [keys.filter(Boolean)]);
}

export function isSamePhone(phone: string | null | undefined, contacts: Contacts): boolean {
  if (!phone || !contacts.phone) return false;
  return phoneNumberOf(phone, contacts.country) === phoneNumberOf(contacts.phone, contacts.country);
}

/**
 * Id of the match: by phone before by e-mail, the lowest id first; archived customers match nothing. Phones are found by all digits in
 * which the number can be written and then compared, so what is stored holds for whatever country the store sets.
 */
export async function findDuplicate(em: EntityManager, storeId: number, contacts: Contacts): Promise<number | undefined> {
  const { phone, emailKey, country } = contacts;
  const found = await sql<{ id: number; phone: string | null }>(
    em,
    `select id, phone from (
       select min(id) as id, phone, 1 as preference from customers.customers
       where store_id = $1 and archived_at is null and phone_digits = any ($2::text[]) group by phone
       union all
       select min(id), null, 2 from customers.customers where store_id = $1 and archived_at is null and email_key = $3) matching
     where id is not null order by preference, id`,
    [storeId, phone ? writtenDigits(phone, country) : [], emailKey],
  );
  return found.find((match) => match.phone === null || isSamePhone(match.phone, contacts))?.id;
}
