import { Migration } from '@mikro-orm/migrations';

/** Data of GET /requests/:request_id (D206): the requests of 30 days, and an index over their audit entries. */
export class KeepRequests extends Migration {
  override up(): void {
    this.addSql(`
      create table gateway.requests (
        id bigint generated always as identity primary key,
        store_id bigint not null,
        request_id text not null,
        method text not null,
        route text,
        status int not null,
        error_code text,
        key_id bigint,
        user_id bigint,
        duration_ms int not null,
        created_at timestamptz(3) not null
      )`);
    this.addSql('create index requests_request on gateway.requests (store_id, request_id)');
    this.addSql('create index requests_created_at on gateway.requests (created_at)');
    this.addSql('create index audit_entries_request on gateway.audit_entries (store_id, request_id)');
  }
}
