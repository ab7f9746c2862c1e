/**
 * What the gateway of a journey gets for `redis`: the client as it is, but for the time, which is the journey's
 * (JOURNEYS_CLOCK) and not the server's: in the scripts of the gate, and in the mark of a completed request.
 */
import { createClient as createRealClient, defineScript as defineRealScript } from 'redis';
import { SharedClock } from './shared-clock.ts';

const clock = SharedClock.open(process.env.JOURNEYS_CLOCK!);
const nowText = () => String(clock.now().getTime());

/** What the scripts say, and what a journey needs them to say; keys end by the server's time, so they are kept for longer. */
const changes: [string, string][] = [
  ['local now = time[1] * 1000 + math.floor(time[2] / 1000)', 'local now = tonumber(ARGV[#ARGV])'],
  ["redis.call('PEXPIREAT', KEYS[4], string.format('%.0f', start + windowMs))", "redis.call('PEXPIRE', KEYS[4], 10 * windowMs)"],
  ["redis.call('PTTL', KEYS[5])", "math.max(-2, tonumber(redis.call('GET', KEYS[5]) or 0) - now)"],
];

// biome-ignore lint/suspicious/noExplicitAny: any script whatever, as it was defined.
export const defineScript: typeof defineRealScript = (script: any) =>
  defineRealScript({
    ...script,
    SCRIPT: changes.reduce(changed, script.SCRIPT as string),
    // biome-ignore lint/suspicious/noExplicitAny: the script's own parameters.
    parseCommand(parser: any, ...values: any[]) {
      script.parseCommand(parser, ...values);
      parser.push(nowText());
    },
  });

function changed(text: string, [part, by]: [string, string]): string {
  if (!text.includes(part)) throw new Error(`the gate's script no longer says: ${part}`);
  return text.replaceAll(part, by);
}

// biome-ignore lint/suspicious/noExplicitAny: any options whatever.
export const createClient: typeof createRealClient = (options: any) => {
  // biome-ignore lint/suspicious/noExplicitAny: the client's type is made of its options.
  const client = createRealClient(options) as any;
  const set = client.set.bind(client);
  // The mark's value says when it ends; it is the one key that has its time from the client.
  client.set = (key: string, value: string, how?: { expiration?: { value: number } }) =>
    set(key, key.endsWith(':mark') ? String(clock.now().getTime() + (how?.expiration?.value ?? 0)) : value, how);
  return client;
};
