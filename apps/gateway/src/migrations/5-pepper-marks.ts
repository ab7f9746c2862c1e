import { Migration } from '@mikro-orm/migrations';

/** A mark per pepper number, so that a different pepper under a used number is detected at the start. */
export class MarkPeppers extends Migration {
  override up(): void {
    this.addSql('create table gateway.pepper_marks (pepper_id int primary key, mark bytea not null)');
  }
}
