/** Extensions that migrations use: only a role that may create in the database can add one, and no service may. */
const extensions = ['pg_trgm', 'btree_gin'];

/** The lock is held to the end: `if not exists` does not see what a concurrent transaction adds, which ends in a duplicate key. */
export const addExtensions = [
  `select pg_advisory_xact_lock(hashtext('extensions'))`,
  ...extensions.map((name) => `create extension if not exists ${name} with schema public`),
].join(';\n');
