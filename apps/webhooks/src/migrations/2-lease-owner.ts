import { Migration } from '@mikro-orm/migrations';

/** The process that claimed the delivery last (docs/decisions/0043); null: one of an earlier release, whose leases expire. */
export class AddLeaseOwner extends Migration {
  override up(): void {
    this.addSql('alter table webhooks.deliveries add column lease_owner int');
  }
}
