/**
 * The two scripts of the Redis key gate. Each of their Redis keys belongs to one API key and has its hash as the
 * hash tag, so that a cluster stores them on one node. Time is Redis's own (D195).
 */
import { createHash, randomUUID } from 'node:crypto';
import { keyPrefix } from './redis-acl.ts';

export function keysOf(hash: string): [tombstone: string, record: string, lease: string, window: string, mark: string] {
  const of = (part: string) => `${keyPrefix}{${hash}}:${part}`;
  return [of('tombstone'), of('record'), of('lease'), of('window'), of('mark')];
}

export type Reply = [revoked: number, record: string | null, lease: string, count: number, markLeftMs: number, nowMs: number];

/**
 * The window is a hash with its start as the only field, so that a request is counted in TIME's minute
 * even in the millisecond in which the old window's key expires.
 */
const shared = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function refused()
  return {1, false, '0', 0, -2, now}
end

local function count(windowMs)
  local start = string.format('%.0f', now - now % windowMs)
  local counted = redis.call('HINCRBY', KEYS[4], start, 1)
  if counted == 1 then
    redis.call('DEL', KEYS[4])
    redis.call('HSET', KEYS[4], start, 1)
    redis.call('PEXPIREAT', KEYS[4], string.format('%.0f', start + windowMs))
  end
  return counted
end
`;

/**
 * A miss that may be read creates a lease, named by the microsecond. Forgetting a key deletes its lease,
 * so a record read under it is not stored: a name is never reused, and an expired
 * lease refuses as well.
 */
const admitScript = `${shared}
if redis.call('EXISTS', KEYS[1]) == 1 then return refused() end
local record = redis.call('GET', KEYS[2])
if record then return {0, record, '0', count(tonumber(ARGV[1])), redis.call('PTTL', KEYS[5]), now} end
local lease = redis.call('GET', KEYS[3])
if not lease and ARGV[2] == '0' then
  lease = ARGV[2]
elseif not lease then
  lease = string.format('%d%06d', time[1], time[2])
  redis.call('SET', KEYS[3], lease, 'PX', ARGV[2])
end
return {0, false, lease, 0, redis.call('PTTL', KEYS[5]), now}
`;

const rememberScript = `${shared}
if ARGV[5] == '1' then redis.call('SET', KEYS[1], '1') end
if redis.call('EXISTS', KEYS[1]) == 1 then return refused() end
local kept = false
if redis.call('GET', KEYS[3]) == ARGV[2] then
  redis.call('SET', KEYS[2], ARGV[3], 'PX', ARGV[4])
  kept = ARGV[3]
end
return {0, kept, ARGV[2], count(tonumber(ARGV[1])), redis.call('PTTL', KEYS[5]), now}
`;

export interface Script {
  text: string;
  sha: string;
}

/**
 * The scripts under names unique to this process. Redis neither persists scripts nor replicates them: one
 * that does not know them was restarted or replaced, and its other data may be old.
 */
export function newScripts(): { admit: Script; remember: Script } {
  const marker = `-- ${randomUUID()}`;
  return { admit: script(`${marker}${admitScript}`), remember: script(`${marker}${rememberScript}`) };
}

function script(text: string): Script {
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}

/** No lease has this name, so nothing is stored under it. */
export const noLease = '-1';
