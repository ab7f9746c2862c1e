import { CreateCatalog } from './1-catalog.ts';

/** By name, oldest first; a name never changes once it has run anywhere. */
export const migrations = { '1-catalog': CreateCatalog };
