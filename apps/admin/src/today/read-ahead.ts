import { readAhead } from '../api/query.ts';
import { hasRole, session } from '../api/session.ts';

const all = ['getSettings', 'summarizeSales', 'listLowStock'] as const;
const managers = ['summarizeRequests', 'summarizeDeliveries', 'listNotices', 'listMonitor'] as const;

/** What the first page shows is asked for while the page itself is loaded. */
export function readToday(): void {
  const signedIn = session.get();
  if (!signedIn) return;
  for (const name of all) readAhead(name, {});
  if (hasRole(signedIn.user, 'manager')) for (const name of managers) readAhead(name, {});
}
