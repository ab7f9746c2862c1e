import { Migration } from '@mikro-orm/migrations';

/** One entry per event, even if it is delivered again after the inbox has forgotten it; older entries have no event id. */
export class AddAuditEntryEvent extends Migration {
  override up(): void {
    this.addSql('alter table gateway.audit_entries add column event_id uuid');
    this.addSql('create unique index audit_entries_event on gateway.audit_entries (event_id)');
  }
}
