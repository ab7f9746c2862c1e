import { Migration } from '@mikro-orm/migrations';

/** GET /requests and its summary read a store's requests by time. */
export class IndexRequestsOfStore extends Migration {
  override up(): void {
    this.addSql('create index requests_of_store on gateway.requests (store_id, created_at)');
  }
}
