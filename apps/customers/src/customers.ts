import type { Db } from '@store/db';
import type { Outbox } from '@store/events';
import type { CustomersDefinition } from '@store/protos/customers/v1.ts';
import type { VerbOf } from '@store/rpc';
import type { Log } from '@store/service';

export interface Customers {
  db: Db;
  outbox: Outbox;
  log: Log;
}

export type Verb<Rpc extends keyof CustomersDefinition> = VerbOf<Customers, CustomersDefinition, Rpc>;
