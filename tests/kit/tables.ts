/** The tables of all apps, as their `tables.ts` declare them, and what background work does to each. */
import { appNames } from '@store/contract';
import type { BackgroundWork } from '@store/db';
import { commonEntities } from '@store/service';

interface Declared {
  entities: readonly { meta: { tableName: string } }[];
  background?: Record<string, BackgroundWork>;
}

/** In every schema; a relay is to publish each row of the outbox. */
const common: Declared = { entities: commonEntities, background: { outbox: { due: 'true' } } };

const tablesOf = (schema: string, { entities, background = {} }: Declared): [string, BackgroundWork][] =>
  entities.map(({ meta: { tableName } }) => [`${schema}.${tableName}`, background[tableName] ?? {}]);

const declared = await Promise.all(
  appNames.map(async (app): Promise<[string, Declared]> => [app, (await import(`@store/${app}/tables`)) as Declared]),
);

/** By full name, as catalog.products. */
export const tables = new Map<string, BackgroundWork>(
  declared.flatMap(([app, own]) => [...tablesOf(app, own), ...tablesOf(app, common), [`${app}.migrations`, {}] as const]),
);
