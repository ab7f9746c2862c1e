import { Migration } from '@mikro-orm/migrations';

/** D271: the session that paid the cash of a voided sale back, where the sale's own was closed before. */
export class AddRefundDrawers extends Migration {
  override up(): void {
    this.addSql('alter table sales.sales add column refund_drawer_session_id bigint');
  }
}
