/** Rights of the user of REDIS_URL, from which docs/operations/install.md and deploy/compose.yaml are written; a test has exactly these. */

/** Every Redis key of the key gate begins with it. */
export const keyPrefix = 'keyGate:';

export const commands = [
  // The client, and the two scripts of the key gate.
  'time',
  'evalsha',
  'script|load',
  // In the scripts and beside them.
  'get',
  'set',
  'del',
  'exists',
  'pttl',
  'hset',
  'hincrby',
  'pexpireat',
] as const;

/** Besides, on the servers of a cluster: the map of slots, keys of a moving slot, and whether a server answers. */
export const clusterCommands = ['cluster|slots', 'asking', 'ping'] as const;

/** The rules of an ACL user, behind its name and password. */
export function aclRules(allowed: readonly string[] = commands): string[] {
  return [`~${keyPrefix}*`, 'resetchannels', '-@all', ...allowed.map((command) => `+${command}`)];
}
