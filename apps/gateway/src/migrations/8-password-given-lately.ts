import { Migration } from '@mikro-orm/migrations';

/** D261 and D263: when a session's password was last given, and where the session is. */
export class KeepPasswordGivenLately extends Migration {
  override up(): void {
    this.addSql(`alter table gateway.staff_sessions
      add column confirmed_at timestamptz(3), add column user_agent text not null default '', add column ip text not null default ''`);
  }
}
