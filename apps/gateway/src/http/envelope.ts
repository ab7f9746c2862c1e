import type { Member } from '@store/contract';

export interface Meta {
  requestId: string;
  timestamp: string;
  dryRun: boolean;
}

/** "If the endpoint's own response has exactly one top-level key, data is that key's value" (D31); pagination is taken out first. */
export function envelope(members: Member[], meta: Meta): string {
  const own = members.filter(([name]) => name !== 'pagination');
  const pagination = members.find(([name]) => name === 'pagination');
  const data = own.length === 1 ? own[0]![1] : bare(own);
  const middle = pagination ? `,"pagination":${pagination[1]}` : '';
  const tried = meta.dryRun ? ',"dry_run":true' : '';
  return `{"data":${data}${middle},"meta":{"request_id":${JSON.stringify(meta.requestId)},"timestamp":"${meta.timestamp}"${tried}}}`;
}

export function bare(members: Member[]): string {
  return `{${members.map(([name, json]) => `"${name}":${json}`).join(',')}}`;
}
