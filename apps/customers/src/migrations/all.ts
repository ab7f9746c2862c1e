import { CreateCustomers } from './1-customers.ts';

/** By name, oldest first; a name never changes once it has run anywhere. */
export const migrations = { '1-customers': CreateCustomers };
