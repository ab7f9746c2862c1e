/** A dry run leaves no trace, so without the read scope its answer holds what the key sent, in place of the record. */
import { isObject, type Member } from '@store/contract';
import type { Exchange } from './exchange.ts';

export function hideStored({ key, match, message, answered }: Exchange): void {
  const { sent } = message!;
  const readScope = match!.endpoint.access.scope.replace(/:write$/, ':read');
  if (!sent || key!.record.scopes.includes(readScope)) return;
  answered!.members = answered!.members.map((member) => sentOf(member, sent));
}

/** Counts and lists of refused rows stay; of an object, the fields that were sent, with the values that were sent. */
function sentOf([name, json]: Member, sent: Record<string, unknown>): Member {
  const shown: unknown = JSON.parse(json);
  if (!isObject(shown)) return [name, json];
  const given = isObject(sent[name]) ? sent[name] : sent;
  const kept = Object.keys(shown).filter((field) => Object.hasOwn(given, field));
  return [name, JSON.stringify(Object.fromEntries(kept.map((field) => [field, given[field]])))];
}
