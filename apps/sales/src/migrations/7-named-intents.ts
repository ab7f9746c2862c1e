import { Migration } from '@mikro-orm/migrations';

/** D275: an intent is named by who asked and the Idempotency-Key, so that a repetition finds the tender that it took. Few rows are ever there. */
export class NameIntents extends Migration {
  override up(): void {
    this.addSql('set local search_path to sales, public');
    this.addSql('alter table store_credit_intents add column actor text, add column request_key text');
    this.addSql('alter table store_credit_intents add constraint store_credit_intents_request unique (store_id, actor, request_key)');
  }
}
