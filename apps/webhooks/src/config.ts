/** What webhooks reads from the environment. */
import { integer, parsedBy, pemFile, refuseBadConfig, secretKeys, setting, text } from '@store/service';
import { retryWaitsMs } from './deliveries/schedule.ts';
import { canonicalHost, type OwnHost } from './receivers/address-guard.ts';
import { readRanges } from './receivers/classify-address.ts';

/** Four waits between five attempts (D153); empty: those of the specification. */
function parseWaits(value: string): readonly number[] {
  if (value === '') return retryWaitsMs;
  const waits = value.split(',').map((part) => (/^\s*\d{1,9}\s*$/.test(part) ? Number(part) : Number.NaN));
  if (waits.length !== retryWaitsMs.length || waits.some(Number.isNaN))
    throw new Error(`must be ${retryWaitsMs.length} numbers of milliseconds`);
  return waits;
}

/** Host and port of the API itself; a path is ignored. */
function parsePublicUrl(value: string): OwnHost | undefined {
  if (value === '') return undefined;
  if (!URL.canParse(value) || !/^https?:\/\//i.test(value)) throw new Error('must be https://host or https://host:port');
  const { protocol, hostname, port } = new URL(value);
  return { host: canonicalHost(hostname), port: Number(port || (protocol === 'https:' ? 443 : 80)) };
}

const cidrs = parsedBy((value) => readRanges(value === '' ? [] : value.split(',')));

const privilegedPorts = 1024;

/** Settings beside those of every service. */
export const ownSettings = {
  SECRET_KEYS: secretKeys,
  WEBHOOKS_STREAM_LISTEN: setting(
    text,
    '127.0.0.1:50066',
    'host:port at which the gateway fetches the live stream of the monitor; port 0 takes a free one',
  ),
  PUBLIC_URL: setting(
    parsedBy(parsePublicUrl),
    '',
    'https://host[:port] at which clients reach this API; the reference names it, and no webhook may be sent there; empty: not set',
  ),
  WEBHOOK_PORT_MIN: setting(integer(1, 65_535), String(privilegedPorts), 'lowest port beside 443 that a webhook URL may name'),
  WEBHOOK_IN_FLIGHT_MAX: setting(integer(1, 10_000), '500', 'most POSTs that one process has in flight, test pings included'),
  WEBHOOK_DENY_CIDRS: setting(
    cidrs,
    '',
    'public ranges that no webhook may be sent to, such as those of your own servers, comma-separated',
  ),
  NODE_ENV: setting(text, '', 'production refuses the settings that exist for tests'),
  WEBHOOK_ALLOW_CIDRS: setting(cidrs, '', 'for tests: ranges that webhooks may be sent to although they are not public, comma-separated'),
  WEBHOOK_CA_FILE: setting(pemFile, '', 'for tests: PEM file of a certificate authority that receivers may use'),
  WEBHOOK_RETRY_WAITS_MS: setting(parsedBy(parseWaits), '', 'for tests: four waits between attempts in milliseconds, comma-separated'),
};

const forTests = ['WEBHOOK_ALLOW_CIDRS', 'WEBHOOK_CA_FILE', 'WEBHOOK_RETRY_WAITS_MS'];

/** A setting for tests stops the start in production (D181). */
export function refuseTestSettings({ NODE_ENV }: { NODE_ENV: string }, env: NodeJS.ProcessEnv): void {
  const refused = NODE_ENV === 'production' ? forTests.filter((name) => (env[name] ?? '') !== '') : [];
  refuseBadConfig(refused.map((name) => `${name} is for tests and refused in production`));
}
