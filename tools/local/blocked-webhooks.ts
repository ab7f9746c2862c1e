/** Subscriptions that an earlier start could deliver to, as it had WEBHOOK_ALLOW_CIDRS, and this one cannot. */
import { isIP } from 'node:net';
import { withClient } from '@store/testbed/with-client';
import { canonicalHost } from '../../apps/webhooks/src/receivers/address-guard.ts';
import { classifyAddress, readRanges } from '../../apps/webhooks/src/receivers/classify-address.ts';

interface Asked {
  /** The database. */
  url: string;
  /** Staff of the store. */
  email: string;
  /** WEBHOOK_ALLOW_CIDRS. */
  allowed: string;
}

/** A sentence for each active subscription of the store. A url that names its host leads to a public address in all but rare cases. */
export async function blockedWebhooks({ url, email, allowed }: Asked): Promise<string[]> {
  const ranges = readRanges(allowed === '' ? [] : allowed.split(','));
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ id: string; url: string }>(
      `select id, url from webhooks.subscriptions
       where store_id = (select store_id from gateway.staff_users where email = $1) and active and deleted_at is null order by id`,
      [email],
    );
    return rows.flatMap((row) => {
      const host = canonicalHost(new URL(row.url).hostname);
      if (isIP(host) === 0 || classifyAddress(host, ranges) !== 'blocked') return [];
      return [
        `Nothing is delivered to ${row.url}: start with WEBHOOK_ALLOW_CIDRS=${[allowed || [], host].flat().join(',')} and the WEBHOOK_CA_FILE of its certificate, or subscription ${row.id} is disabled after five failed deliveries.`,
      ];
    });
  });
}
