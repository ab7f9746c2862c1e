import { Migration } from '@mikro-orm/migrations';

/** D259: 429 and 401 are counted per key and minute, not a row of gateway.requests each. */
export class CountRefusedRequests extends Migration {
  override up(): void {
    this.addSql('alter table gateway.key_usage add column rate_limited bigint not null default 0');
    this.addSql('alter table gateway.key_usage add column unauthorized bigint not null default 0');
  }
}
