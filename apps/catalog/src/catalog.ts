/** The context that the catalogue's verbs receive, and their types. */

import type { Db } from '@store/db';
import type { Outbox } from '@store/events';
import type { CatalogDefinition } from '@store/protos/catalog/v1.ts';
import type { VerbOf } from '@store/rpc';

export interface Catalog {
  db: Db;
  outbox: Outbox;
}

/** A verb of the catalogue, such as `Verb<'CreateBrand'>`. */
export type Verb<Rpc extends keyof CatalogDefinition> = VerbOf<Catalog, CatalogDefinition, Rpc>;
