/** Extensions that migrations use: only a role that may create in the database can add one, and no service may. */
const extensions = ['pg_trgm', 'btree_gin'];

/**
 * Adds them, in a transaction; each holds until its end what the others wait for. `if not exists` alone does not see what another transaction
 * adds at the same time, and one of two services that migrate a new database at once would end with a duplicate key.
 */
export const addExtensions = [
  `select pg_advisory_xact_lock(hashtext('extensions'))`,
  ...extensions.map((name) => `create extension if not exists ${name} with schema public`),
].join(';\n');
