/** The success body: wrapped for keys, the endpoint's own response for staff. */
import type { Member } from '@store/contract';

export interface Meta {
  requestId: string;
  /** ISO 8601. */
  timestamp: string;
  /** A dry run: nothing was stored (D202). */
  dryRun: boolean;
}

/**
 * "If the endpoint's own response has exactly one top-level key, data is that key's value; if it has
 * several, data is the whole object." pagination is taken out first (D31).
 */
export function envelope(members: Member[], meta: Meta): string {
  const own = members.filter(([name]) => name !== 'pagination');
  const pagination = members.find(([name]) => name === 'pagination');
  const data = own.length === 1 ? own[0]![1] : bare(own);
  const middle = pagination ? `,"pagination":${pagination[1]}` : '';
  const tried = meta.dryRun ? ',"dry_run":true' : '';
  return `{"data":${data}${middle},"meta":{"request_id":${JSON.stringify(meta.requestId)},"timestamp":"${meta.timestamp}"${tried}}}`;
}

/** The endpoint's own response (D155). */
export function bare(members: Member[]): string {
  return `{${members.map(([name, json]) => `"${name}":${json}`).join(',')}}`;
}
