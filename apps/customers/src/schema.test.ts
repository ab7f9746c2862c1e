import { testSchema } from '@store/testbed';
import { migrations } from './migrations/all.ts';
import { entities } from './tables.ts';

testSchema(
  { app: 'customers', migrations, entities },
  {
    change: 'alter table customers.outbox alter column name drop not null; drop index customers.inbox_received_at',
    found: /inbox_received_at[\s\S]*"name" set not null/,
  },
);
