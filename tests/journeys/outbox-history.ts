/** Every outbox row that was ever written, kept by a test trigger: the relay deletes the rows themselves. */
import { appNames } from '@store/contract';
import type { World } from '../kit/world.ts';

export interface RecordedRow {
  schema: string;
  event_id: string;
  store_id: string;
  name: string;
  aggregate: string;
  /** The webhook body as it will be sent; null: not a public event. */
  // biome-ignore lint/suspicious/noExplicitAny: a webhook body is read as its receiver does, without types.
  body: any;
  text: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: the internal parts of events have no common type here.
  internal: any;
}

/** Starts to record outbox rows; call it before the changes. */
export async function recordOutbox({ database }: World): Promise<void> {
  await database.query(`
    create table public.outbox_history (n bigint generated always as identity, schema text, event_id uuid, store_id bigint, name text,
      aggregate text, public bytea, internal jsonb);
    create function public.record_outbox() returns trigger language plpgsql security definer as $$ begin
      insert into public.outbox_history (schema, event_id, store_id, name, aggregate, public, internal)
      values (tg_table_schema, new.event_id, new.store_id, new.name, new.aggregate, new.public, new.internal);
      return new;
    end $$;
    ${appNames.map((owner) => `create trigger record_outbox after insert on ${owner}.outbox for each row execute function public.record_outbox();`).join('\n')}`);
}

/** The rows since the last call, in the order of the writes. */
export async function takeRecorded({ database }: World): Promise<RecordedRow[]> {
  const { rows } = await database.query('with taken as (delete from public.outbox_history returning *) select * from taken order by n');
  return rows.map((row) => {
    const text = row.public === null ? null : row.public.toString();
    return { ...row, text, body: text === null ? null : JSON.parse(text) };
  });
}
