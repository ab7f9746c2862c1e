import { Migration } from '@mikro-orm/migrations';

/** By the number of a pepper: what only that pepper makes, so that another one under its number is noticed at the start. */
export class MarkPeppers extends Migration {
  override up(): void {
    this.addSql('create table gateway.pepper_marks (pepper_id int primary key, mark bytea not null)');
  }
}
