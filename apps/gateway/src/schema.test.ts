import { testSchema } from '@store/testbed';
import { migrations } from './migrations/all.ts';
import { entities } from './tables.ts';

testSchema(
  { app: 'gateway', migrations, entities },
  {
    change: 'alter table gateway.api_keys alter column rate_limit drop not null',
    found: /"rate_limit" set not null/,
  },
);
