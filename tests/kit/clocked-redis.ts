/**
 * The Redis client of a journey's gateway: the real client with the journey's time (JOURNEYS_CLOCK) in place of the
 * server's, in the scripts of the key gate and in the mark of a completed request.
 */
import { createHash } from 'node:crypto';
import { createClient as createRealClient } from 'redis';
import { SharedClock } from './shared-clock.ts';

export * from 'redis';

const clock = SharedClock.open(process.env.JOURNEYS_CLOCK!);
const nowText = () => String(clock.now().getTime());

/** Replacements in the scripts; Redis expires keys by its own time, so they are kept for longer. */
const changes: [string, string][] = [
  ['local now = time[1] * 1000 + math.floor(time[2] / 1000)', 'local now = tonumber(ARGV[#ARGV])'],
  ["redis.call('PEXPIREAT', KEYS[4], string.format('%.0f', start + windowMs))", "redis.call('PEXPIRE', KEYS[4], 10 * windowMs)"],
  ["redis.call('PTTL', KEYS[5])", "math.max(-2, tonumber(redis.call('GET', KEYS[5]) or 0) - now)"],
];

function changed(text: string, [part, by]: [string, string]): string {
  if (!text.includes(part)) throw new Error(`the gate's script no longer says: ${part}`);
  return text.replaceAll(part, by);
}

// biome-ignore lint/suspicious/noExplicitAny: any options whatever.
export const createClient: typeof createRealClient = (options: any) => {
  // biome-ignore lint/suspicious/noExplicitAny: the client's type is made of its options.
  const client = createRealClient(options) as any;
  const set = client.set.bind(client);
  /** Scripts are called by the hash of the gateway's text, and run as changed. */
  const names = new Map<string, string>();
  const [scriptLoad, evalSha] = [client.scriptLoad.bind(client), client.evalSha.bind(client)];
  client.scriptLoad = async (text: string) => {
    names.set(createHash('sha1').update(text).digest('hex'), await scriptLoad(changes.reduce(changed, text)));
  };
  client.evalSha = (name: string, { keys, arguments: values }: { keys: string[]; arguments: string[] }) =>
    evalSha(names.get(name) ?? name, { keys, arguments: [...values, nowText()] });
  // The mark's value holds its expiry; it is the only key whose time the client sets.
  client.set = (key: string, value: string, how?: { expiration?: { value: number } }) =>
    set(key, key.endsWith(':mark') ? String(clock.now().getTime() + (how?.expiration?.value ?? 0)) : value, how);
  return client;
};
