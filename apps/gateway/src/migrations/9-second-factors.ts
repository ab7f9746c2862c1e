import { Migration } from '@mikro-orm/migrations';

/** D262: codes of an authenticator app beside the password. */
export class KeepSecondFactors extends Migration {
  override up(): void {
    this.addSql(`alter table gateway.staff_users
      add column second_factor_secret text,
      add column second_factor_at timestamptz(3),
      add column second_factor_step int not null default 0,
      add column recovery_codes text[] not null default '{}'`);
  }
}
