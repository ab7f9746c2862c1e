import { CreateSales } from './1-sales.ts';

/** By name, oldest first; a name never changes once it has run anywhere. */
export const migrations = { '1-sales': CreateSales };
