/** Records that staff change: loaded with the store filter on, locked, changed, flushed (docs/decisions/0090). */
import { type EntitySchema, LockMode, type RequiredEntityData } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound, Problem } from '@store/problem';
import { isUniqueViolation } from './pg/database-errors.ts';

/** The names of a record's entity in texts, events and the audit trail. */
interface Noun {
  /** resource_type, such as RevenueCenter. */
  type: string;
  /** Event names and aggregates, such as revenue_center. */
  name: string;
  /** Texts for people, such as Revenue center. */
  title: string;
}

/** The nouns of an entity's name: RevenueCenter is revenue_center and "Revenue center". */
export function nounOf(entity: { meta: { className: string } }): Noun {
  const type = entity.meta.className;
  const words = type.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return { type, name: words.toLowerCase().replaceAll(' ', '_'), title: words };
}

/** The record of the unit's store, locked until the commit; a 404 for an unknown id and for another store's. */
export async function lockRecord<T extends object>(em: EntityManager, entity: EntitySchema<T>, id: number | undefined): Promise<T> {
  const record = id === undefined ? null : await em.findOne(entity, { id } as never, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!record) throw notFound(nounOf(entity).title);
  return record as T;
}

/** A new record of the unit's store, not yet written; created_at and updated_at are `now`. */
export function newRecord<T extends object>(em: EntityManager, entity: EntitySchema<T>, values: object, now: Date): T {
  const { storeId } = em.getFilterParams('store') as { storeId: number };
  return em.create(entity, { ...camelKeys(values), storeId, createdAt: now, updatedAt: now } as unknown as RequiredEntityData<T>);
}

/** Writes a new record of the unit's store. */
export async function insertRecord<T extends object>(em: EntityManager, entity: EntitySchema<T>, values: object, now: Date): Promise<T> {
  const record = newRecord(em, entity, values, now);
  em.persist(record);
  await flushRecord(em, entity);
  return record;
}

/** What a change did, for the audit trail: the same keys before and after. */
export interface Difference {
  before: Record<string, unknown>;
  after: Record<string, unknown>;
}

/** Sets accepted values (by the client's field names) on the record; undefined when none of them differs. */
export function applyChanges(record: object, values: object, now: Date): Difference | undefined {
  const stored = record as Record<string, unknown>;
  const difference: Difference = { before: {}, after: {} };
  for (const [field, value] of Object.entries(values)) {
    const property = camelCase(field);
    if (value === undefined || JSON.stringify(stored[property]) === JSON.stringify(value)) continue;
    difference.before[field] = stored[property];
    difference.after[field] = value;
    stored[property] = value;
  }
  if (Object.keys(difference.after).length === 0) return undefined;
  stored.updatedAt = now;
  return difference;
}

/** The fields of `after` that differ from `before`; undefined when none does. */
export function changedFields<Fields extends object>(before: Fields, after: Fields): Difference | undefined {
  const old = before as Record<string, unknown>;
  const changed = Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(old[name]));
  if (changed.length === 0) return undefined;
  return { before: Object.fromEntries(changed.map(([name]) => [name, old[name]])), after: Object.fromEntries(changed) };
}

export const taken = 'has already been taken';

/** An error for each field that another record of the store, or of those `among` it, has where a unique index forbids it. */
export async function takenErrors<T extends object>(
  em: EntityManager,
  entity: EntitySchema<T>,
  values: object,
  ownId = 0,
  among: object = {},
): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const field of uniqueFields(entity)) {
    const value = (values as Record<string, unknown>)[field];
    if (value === undefined || value === null) continue;
    const others = await em.count(entity, { ...among, [camelCase(field)]: value, id: { $ne: ownId } } as never);
    if (others > 0) found[field] = [taken];
  }
  return found;
}

/** Writes what the unit holds; a unique index that refuses it lost a race, which is a 409 (D27). */
export async function flushRecord<T extends object>(em: EntityManager, entity: EntitySchema<T>): Promise<void> {
  try {
    await em.flush();
  } catch (error) {
    throw isUniqueViolation(error) ? raced(fieldOfIndex(entity, error) ?? uniqueFields(entity)[0] ?? 'id', error) : error;
  }
}

/** Awaits a write; a unique index that refuses it is a race for the field, or for that of the entity's index. Found beforehand it would be a 422. */
export async function orRaced<T>(unique: string | EntitySchema, write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw raced(typeof unique === 'string' ? unique : (fieldOfIndex(unique, error) ?? 'id'), error);
  }
}

/** 409 of a race that a unique index decided (D27). */
export function raced(field: string, cause?: unknown): Problem {
  return new Problem('conflict', 'Record already exists', { details: `${field} ${taken}` }, { cause });
}

/** The last field of the unique index that refused the record. */
function fieldOfIndex(entity: { meta: { uniques: { name?: string; properties?: unknown }[] } }, error: unknown): string | undefined {
  const { constraint } = error as { constraint?: string };
  const properties = entity.meta.uniques.find(({ name }) => name !== undefined && name === constraint)?.properties;
  const property = [properties].flat().at(-1);
  return property === undefined ? undefined : snakeCase(String(property));
}

/** Fields that are unique within a store, by the client's names. */
function uniqueFields(entity: { meta: { uniques: { properties?: unknown }[] } }): string[] {
  return entity.meta.uniques.flatMap(({ properties }) => {
    const names = [properties].flat().map(String);
    return names.length === 2 && names[0] === 'storeId' ? [snakeCase(names[1]!)] : [];
  });
}

function camelKeys(values: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [camelCase(name), value]));
}

/** The property that a client's field is kept in. */
export const camelCase = (name: string) => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
