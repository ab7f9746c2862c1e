import { apps } from '@store/contract';
import { addressSettings, integer, parsedBy, pemFile, secretKeys, setting, text } from '@store/service';
import { isCluster } from './key-gate/redis-address.ts';
import { parsePeppers } from './keys/key-text.ts';
import { scryptCostDefault } from './staff/passwords.ts';

export const own = {
  ...addressSettings(apps.gateway.calls),
  GATEWAY_HOST: setting(text, '127.0.0.1', 'address that the gateway listens on'),
  GATEWAY_PORT: setting(integer(0, 65_535), '3000', 'port that the gateway listens on; 0 takes a free one'),
  GATEWAY_CONNECTIONS_MAX: setting(
    integer(1, 1_000_000),
    '10000',
    'client connections of one gateway process; a further one takes the place of one that never carried a key or session, and one of an address that has three quarters of them is closed as it comes',
  ),
  REDIS_URL: setting(
    text.refine((url) => url === '' || isCluster(url) || /^rediss?:\/\/\S+$/.test(url), {
      message: 'must be redis://, rediss://, redis+cluster:// or rediss+cluster://',
    }),
    '',
    'Redis for limits and the key cache, rediss://user:password@host:port over TLS; a cluster: rediss+cluster://user:password@host:port,host:port; empty: both stay in this process',
  ),
  REDIS_CA_FILE: setting(
    pemFile,
    '',
    'PEM file of the certificate authority of a rediss:// Redis; empty: the authorities that Node trusts',
  ),
  GATEWAY_NOT_READY_MS: setting(
    integer(0, 15_000),
    '5000',
    'milliseconds that /readyz answers 503 before the gateway stops accepting connections, so that a load balancer stops sending requests',
  ),
  KEY_PEPPERS: setting(parsedBy(parsePeppers), undefined, 'secrets that API keys are hashed with, newest first: 2:base64,1:base64'),
  SECRET_KEYS: secretKeys,
  TRUSTED_PROXIES: setting(integer(0, 10), '0', 'number of proxies in front of the gateway whose X-Forwarded-For is trusted'),
  ADMIN_UPSTREAM: setting(
    text.regex(/^(https?:\/\/[^/\s]+)?$/, 'must be http://host:port without a path'),
    '',
    "base URL of the admin panel's server, which answers /admin; empty: the files of ADMIN_FILES do",
  ),
  ADMIN_FILES: setting(text, '', "folder of the admin panel's built files; empty: there is no /admin"),
  PUBLIC_URL: setting(
    text.regex(/^(https:\/\/[^/?#@\s]+\/?)?$/, 'must be https://host[:port]'),
    '',
    'https://host[:port] at which clients reach this API; the reference names it, and no webhook may be sent there; empty: not set',
  ),
  UNAUTHORIZED_PER_MINUTE: setting(
    integer(1, 1_000_000),
    '3000',
    '401 answers per client address and minute before it gets 429; loopback is exempt',
  ),
  PASSWORD_SCRYPT_COST: setting(integer(2 ** 10, 2 ** 20), String(scryptCostDefault), 'scrypt cost N of new password hashes'),
};
