/** The audit trail's consumer: stores the audit part of every service's messages, searchable (D183). */
import { type EntityManager, sql } from '@store/db';
import type { Message } from '@store/events';
import type { ConsumerDeclaration } from '@store/service';

/** Text: a batch of any size is one prepared statement. */
const insertEntries = `
  insert into gateway.audit_entries (store_id, created_at, actor_type, key_id, key_name, user_id, user_name, action, resource_type,
    resource_id, before, after, request_id, ip, event_ids, event_id)
  select store_id, created_at, actor_type, key_id, key_name, user_id, user_name, action, resource_type,
    resource_id, before, after, request_id, ip, event_ids, event_id
  from rows from (jsonb_to_recordset($1) as (store_id bigint, created_at timestamptz, actor_type text, key_id bigint, key_name text,
    user_id bigint, user_name text, action text, resource_type text, resource_id bigint, before jsonb, after jsonb, request_id text, ip text,
    event_ids text[], event_id uuid)) with ordinality
  order by ordinality
  on conflict (event_id) do nothing`;

/** It fetches from every topic; the trail may be that much late. */
const lingerMs = 250;

export const recordAudit: ConsumerDeclaration = {
  wants: (message) => message.internal?.audit !== undefined,
  handle: storeEntries,
  lingerMs: () => lingerMs,
  // A backlog of events kept the loop of a process that answers requests busy for 10 to 30 ms at a time.
  withRelay: true,
};

async function storeEntries(em: EntityManager, messages: Message[]): Promise<void> {
  await sql(em, insertEntries, [JSON.stringify(messages.map(entryOf))]);
}

function entryOf(message: Message): Record<string, unknown> {
  const { actor } = message;
  const audit = message.internal!.audit!;
  return {
    store_id: message.storeId,
    created_at: message.createdAt,
    actor_type: actor.type,
    key_id: actor.key?.id ?? null,
    key_name: actor.key?.name ?? null,
    user_id: actor.user?.id ?? null,
    user_name: actor.user?.name ?? null,
    action: audit.action,
    resource_type: audit.resource_type,
    resource_id: audit.resource_id,
    before: audit.before,
    after: audit.after,
    request_id: message.requestId,
    ip: audit.ip,
    // Only a public event can be looked up by its id, in a delivery or in GET /events.
    event_id: message.id,
    event_ids: message.public ? [message.id] : [],
  };
}
