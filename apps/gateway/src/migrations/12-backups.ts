import { Migration } from '@mikro-orm/migrations';

/** One row a backup, from which its alert knows the age of the last one. */
export class NoteBackups extends Migration {
  override up(): void {
    this.addSql('create table gateway.backups (made_at timestamptz(3) primary key default now())');
  }
}
