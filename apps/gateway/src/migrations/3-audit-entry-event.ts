import { Migration } from '@mikro-orm/migrations';

/** One entry per event, also where an event comes again after the inbox has forgotten it; entries from before have none. */
export class AddAuditEntryEvent extends Migration {
  override up(): void {
    this.addSql('alter table gateway.audit_entries add column event_id uuid');
    this.addSql('create unique index audit_entries_event on gateway.audit_entries (event_id)');
  }
}
