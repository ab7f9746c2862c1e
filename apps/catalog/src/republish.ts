/** What other apps copy of catalog. */
import { republishCommand } from '@store/service';
import { republishProducts } from './products/republish-products.ts';
import { entities } from './tables.ts';

export const republish = (args: string[]): Promise<boolean> =>
  republishCommand({ app: 'catalog', entities, kinds: { products: republishProducts } }, args);
