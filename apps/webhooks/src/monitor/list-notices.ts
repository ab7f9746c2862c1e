import { isoTime } from '@store/db';
import type { ListNoticesRequest__Output } from '@store/protos/webhooks/v1/ListNoticesRequest.ts';
import type { ListNoticesResponse } from '@store/protos/webhooks/v1/ListNoticesResponse.ts';
import type { Call } from '@store/rpc';
import { failuresMax } from '../deliveries/step.ts';
import type { NoticeKind } from '../deliveries/types.ts';
import type { Webhooks } from '../webhooks.ts';

const noticesMax = 100;

interface Row {
  id: string;
  kind: NoticeKind;
  subscription_id: string;
  url: string;
  failure_count: number;
  delivery_id: string | null;
  created_at: string;
}

const texts: Record<NoticeKind, (row: Row) => string> = {
  failing_60: (row) => `${row.failure_count} of the ${failuresMax} failed deliveries that disable the subscription`,
  failing_80: (row) => `${row.failure_count} of the ${failuresMax} failed deliveries that disable the subscription`,
  disabled: (row) => `The subscription was disabled after ${row.failure_count} failed deliveries`,
  secret_unreadable: () => 'A delivery could not be signed, as its secret cannot be read; once that is mended it can be sent again',
  delivery_exhausted: () => 'A delivery has failed for good; it can be sent again',
};

/** GET /webhook_notices (staff): what went wrong lately, newest first. */
export async function listNotices(app: Webhooks, _request: ListNoticesRequest__Output, { caller }: Call): Promise<ListNoticesResponse> {
  const rows = await app.db.read<Row>(
    'list-notices',
    `select id::text, kind, subscription_id::text, url, failure_count, delivery_id::text, created_at::text
     from webhooks.notices where store_id = $1 order by id desc limit $2`,
    [caller.storeId, noticesMax],
  );
  return {
    webhook_notices: rows.map((row) => ({
      id: Number(row.id),
      kind: row.kind,
      webhook_subscription_id: Number(row.subscription_id),
      url: row.url,
      message: texts[row.kind](row),
      failure_count: row.failure_count,
      delivery_id: row.delivery_id === null ? undefined : Number(row.delivery_id),
      created_at: isoTime(row.created_at),
    })),
  };
}
