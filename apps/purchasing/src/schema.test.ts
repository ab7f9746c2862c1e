import { testSchema } from '@store/testbed';
import { migrations } from './migrations/all.ts';
import { entities } from './tables.ts';

testSchema(
  { app: 'purchasing', migrations, entities },
  {
    change: 'alter table purchasing.outbox alter column name drop not null; drop index purchasing.inbox_received_at',
    found: /inbox_received_at[\s\S]*"name" set not null/,
  },
);
