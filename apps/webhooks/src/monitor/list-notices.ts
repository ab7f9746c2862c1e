import { columnsOf, type Row } from '@store/db';
import { cappedList } from '@store/service';
import { failuresMax, type NoticeKind } from '../deliveries/attempt-ended.ts';
import { tables } from '../tables.ts';
import type { Verb } from '../webhooks.ts';
import { Notice } from './notice.ts';

const noticesMax = 100;

const warning = ({ failure_count }: Pick<Row<typeof Notice>, 'failure_count'>) =>
  `${failure_count} of the ${failuresMax} failed deliveries that disable the subscription`;

const texts: Record<NoticeKind, typeof warning> = {
  failing_60: warning,
  failing_80: warning,
  disabled: ({ failure_count }) => `The subscription was disabled after ${failure_count} failed deliveries`,
  secret_unreadable: () => 'A delivery could not be signed, as its secret cannot be read; once that is mended it can be sent again',
  delivery_exhausted: () => 'A delivery has failed for good; it can be sent again',
};

/** GET /webhook_notices (staff): recent problems, newest first. */
export const listNotices: Verb<'ListNotices'> = async (app, _request, { caller }) => {
  const ofStore = tables.selectFrom('notices').select(columnsOf(Notice)).where('store_id', '=', caller.storeId);
  const view = (row: Row<typeof Notice>) => ({
    id: row.id,
    kind: row.kind,
    webhook_subscription_id: row.subscription_id,
    url: row.url,
    message: texts[row.kind](row),
    failure_count: row.failure_count,
    delivery_id: row.delivery_id ?? undefined,
    created_at: row.created_at.toISOString(),
  });
  const newest = ofStore.orderBy('id', 'desc');
  return cappedList({
    max: noticesMax,
    read: (limit) => app.db.read(newest.limit(limit)),
    answer: (rows) => ({ webhook_notices: rows.map(view) }),
  });
};
