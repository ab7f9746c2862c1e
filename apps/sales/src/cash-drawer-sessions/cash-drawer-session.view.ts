import type { Row } from '@store/db';
import { cents, moneyText } from '@store/input';
import type { CashDrawerSession as CashDrawerSessionMessage } from '@store/protos/sales/v1.ts';
import type { Caller } from '@store/rpc';
import type { CashDrawerSession } from './cash-drawer-session.ts';

/** `expected` of an open session is what it should hold now; a clerk counts before he sees it (D271). */
export function cashDrawerSessionView(
  { actor }: Caller,
  session: Omit<Row<typeof CashDrawerSession>, 'store_id'>,
  expected: string,
): CashDrawerSessionMessage {
  const { counted } = session;
  return {
    id: session.id,
    status: session.closed_at ? 'closed' : 'open',
    clerk: { id: session.clerk_id, name: session.clerk_name },
    opening_float: session.opening_float,
    expected: actor.role === 'clerk' && !session.closed_at ? undefined : expected,
    counted: counted ?? undefined,
    difference: counted === null ? undefined : moneyText(cents(counted) - cents(expected)),
    opened_at: session.created_at.toISOString(),
    closed_at: session.closed_at?.toISOString(),
  };
}
