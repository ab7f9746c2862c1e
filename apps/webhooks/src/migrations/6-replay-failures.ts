import { Migration } from '@mikro-orm/migrations';

/** Replays that finally failed since the last success (D140). */
export class AddReplayFailures extends Migration {
  override up(): void {
    this.addSql('alter table webhooks.subscriptions add column replay_failures int not null default 0');
  }
}
