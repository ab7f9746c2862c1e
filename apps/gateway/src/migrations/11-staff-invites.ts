import { Migration } from '@mikro-orm/migrations';

/** D264: who was invited chooses the password by a link that is used once; until then there is none. */
export class InviteStaff extends Migration {
  override up(): void {
    this.addSql(`alter table gateway.staff_users
      alter column password_hash drop not null, add column invite_hash bytea, add column invite_expires_at timestamptz(3)`);
  }
}
