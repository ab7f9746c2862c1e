import { testSchema } from '@store/testbed';
import { migrations } from './migrations/all.ts';
import { entities } from './tables.ts';

testSchema(
  { app: 'inventory', migrations, entities },
  {
    change: 'alter table inventory.stock_items alter column quantity drop not null; drop index inventory.stock_adjustments_of_type',
    found: /"quantity" set not null[\s\S]*stock_adjustments_of_type/,
  },
);
