import { Migration } from '@mikro-orm/migrations';

/** Cash that is put into a drawer and taken out of it between sales (D271), and notes of sales. */
export class CreateDrawerMovements extends Migration {
  override up(): void {
    this.addSql('set local search_path to sales');
    this.addSql('alter table sales add column note text');
    this.addSql(`
      create table cash_drawer_movements (
        id bigint generated always as identity primary key,
        store_id bigint not null,
        session_id bigint not null,
        amount numeric(14, 2) not null,
        reason text not null,
        user_name text,
        created_at timestamptz(3) not null
      );
      create index cash_drawer_movements_of_session on cash_drawer_movements (store_id, session_id);
      create index cash_drawer_movements_made on cash_drawer_movements (store_id, created_at, id)`);
  }
}
