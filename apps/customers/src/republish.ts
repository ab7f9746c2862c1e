import { republishCommand } from '@store/service';
import { republishCustomers } from './customers/republish-customers.ts';
import { entities } from './tables.ts';

export const republish = (args: string[]): Promise<boolean> =>
  republishCommand({ app: 'customers', entities, kinds: { customers: republishCustomers } }, args);
