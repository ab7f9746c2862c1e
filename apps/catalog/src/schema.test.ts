import { testSchema } from '@store/testbed';
import { migrations } from './migrations/all.ts';
import { entities } from './tables.ts';

testSchema(
  { app: 'catalog', migrations, entities },
  {
    change: 'alter table catalog.brands add column color text',
    found: /drop column "color"/,
  },
);
