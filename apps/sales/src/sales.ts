import { type Db, type Numbers, numberBlocks } from '@store/db';
import type { Outbox } from '@store/events';
import type { CatalogDefinition } from '@store/protos/catalog/v1.ts';
import type { CustomersDefinition } from '@store/protos/customers/v1.ts';
import type { SalesDefinition } from '@store/protos/sales/v1.ts';
import type { Rpcs, VerbOf } from '@store/rpc';
import type { Log, ServiceParts } from '@store/service';

export interface Sales {
  db: Db;
  outbox: Outbox;
  log: Log;
  receiptNumbers: Numbers;
  catalog: Rpcs<CatalogDefinition>;
  customers: Rpcs<CustomersDefinition>;
}

export type Verb<Rpc extends keyof SalesDefinition> = VerbOf<Sales, SalesDefinition, Rpc>;

export function openSales({ db, outbox, log, client }: ServiceParts): Sales {
  return {
    db,
    outbox,
    log,
    receiptNumbers: receiptNumbers(db),
    catalog: client<CatalogDefinition>('catalog'),
    customers: client<CustomersDefinition>('customers'),
  };
}

/** Receipt numbers that the store makes: R-1001 and up (D236). */
export const receiptNumbers = (db: Db) =>
  numberBlocks(db, {
    table: 'sales.receipt_number_blocks',
    prefix: 'R-',
    blockSize: 100,
    used: { table: 'sales.sales', column: 'receipt_number' },
  });
