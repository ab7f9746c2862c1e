import { Migration } from '@mikro-orm/migrations';

/** The request that caused an event (D206); events of earlier releases have none. */
export class AddEventRequest extends Migration {
  override up(): void {
    this.addSql('alter table webhooks.events add column request_id text');
    this.addSql('create index events_request on webhooks.events (store_id, request_id) where request_id is not null');
  }
}
