import { Migration } from '@mikro-orm/migrations';

/** Who took the delivery last (docs/decisions/0043); null: a process from before, whose leases run out. */
export class AddLeaseOwner extends Migration {
  override up(): void {
    this.addSql('alter table webhooks.deliveries add column lease_owner int');
  }
}
