import { Migration } from '@mikro-orm/migrations';

/** An event is logged once in its store, as `events_once` says. */
export class DropEventIds extends Migration {
  override up(): void {
    this.addSql('alter table webhooks.events drop constraint events_event_id_key');
  }
}
