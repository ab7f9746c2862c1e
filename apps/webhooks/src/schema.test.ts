import { testSchema } from '@store/testbed';
import { migrations } from './migrations/all.ts';
import { entities } from './tables.ts';

testSchema({ app: 'webhooks', migrations, entities });
