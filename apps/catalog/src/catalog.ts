/** What the catalogue's verbs are given. */
import type { Db } from '@store/db';
import type { Outbox } from '@store/events';

export interface Catalog {
  db: Db;
  outbox: Outbox;
}
