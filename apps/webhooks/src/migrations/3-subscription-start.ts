import { Migration } from '@mikro-orm/migrations';

/** Since which sequence of the store's log a subscription exists, and lists each event (D130, D254). */
export class AddSubscriptionStart extends Migration {
  override up(): void {
    this.addSql(`
      alter table webhooks.subscriptions
        -- Where the log ended when it was made.
        add column created_after bigint not null default 0,
        -- Of each event that it lists: where the log ended when it came to list it.
        add column events_after jsonb not null default '{}'`);
    this.addSql(`
      update webhooks.subscriptions s set created_after = b.last,
        events_after = (select jsonb_object_agg(name, b.last) from unnest(s.events) as name)
      from (
        select o.id, coalesce((select max(e.sequence) from webhooks.events e
                               where e.store_id = o.store_id and e.created_at <= o.created_at), 0) as last
        from webhooks.subscriptions o) b
      where b.id = s.id`);
  }
}
