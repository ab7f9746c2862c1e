import { Migration } from '@mikro-orm/migrations';

/** Failed logins are counted by account and address; a count by account alone let anyone lock the owner out. */
export class LoginGuesses extends Migration {
  override up(): void {
    for (const statement of tables.split(';')) if (statement.trim() !== '') this.addSql(statement);
  }
}

const tables = `
  drop table gateway.login_failures;

  create table gateway.login_guesses (
    account text not null,
    source text not null,
    failures int not null,
    blocked_until timestamptz(3),
    failed_at timestamptz(3) not null,
    primary key (account, source)
  );
  create index login_guesses_failed_at on gateway.login_guesses (failed_at);

  create table gateway.login_failures_by_account (
    account text not null,
    hour timestamptz(3) not null,
    failures int not null,
    primary key (account, hour)
  );
  create index login_failures_by_account_hour on gateway.login_failures_by_account (hour)`;
