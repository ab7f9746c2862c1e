import { Migration } from '@mikro-orm/migrations';

/** Version of the event that the copy is of: an older one does not come back. */
export class AddStaffVersion extends Migration {
  override up(): void {
    this.addSql('alter table inventory.staff_users add column version bigint not null default 0');
  }
}
