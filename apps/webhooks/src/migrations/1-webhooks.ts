import { Migration } from '@mikro-orm/migrations';
import { idempotencyTable } from '@store/db';
import { eventTables } from '@store/events';

/** Subscriptions, the event log, deliveries. Every table has store_id or belongs to a row that has it. */
export class CreateWebhooks extends Migration {
  override up(): void {
    this.addSql('set local search_path to webhooks');
    this.addSql(`
      -- One row per store: the last sequence of its event log, and the lock that orders writers of events.
      create table stores (
        id bigint primary key,
        last_sequence bigint not null default 0
      );
      -- Keys that are revoked, so that a subscription made meanwhile is born silent.
      create table revoked_keys (
        key_id bigint primary key,
        revoked_at timestamptz(3) not null
      );
      create table subscriptions (
        id bigint generated always as identity primary key,
        store_id bigint not null,
        key_id bigint not null,
        key_name text not null,
        key_expires_at timestamptz(3),
        key_revoked_at timestamptz(3),
        url text not null,
        events text[] not null,
        active boolean not null default true,
        failure_count int not null default 0,
        last_triggered_at timestamptz(3),
        disabled_at timestamptz(3),
        -- Version of the secret that new deliveries are signed with.
        secret_version int not null default 1,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        -- Kept until its deliveries have gone, so that deleting one is never slow.
        deleted_at timestamptz(3)
      );
      create index subscriptions_store on subscriptions (store_id, id desc) where deleted_at is null;
      create index subscriptions_key on subscriptions (key_id) where deleted_at is null;
      create index subscriptions_deleted on subscriptions (deleted_at) where deleted_at is not null;
      -- A rotated secret stays as long as a delivery that began with it may be sent.
      create table subscription_secrets (
        subscription_id bigint not null references subscriptions (id) on delete cascade,
        version int not null,
        sealed text not null,
        retired_at timestamptz(3),
        primary key (subscription_id, version)
      );
      create index subscription_secrets_retired on subscription_secrets (retired_at) where retired_at is not null`);
    this.addSql(`
      create table events (
        store_id bigint not null,
        sequence bigint not null,
        event_id uuid not null unique,
        name text not null,
        -- The record whose first attempts keep their order.
        record text not null,
        -- The bytes that are signed and sent; never parsed and written again.
        body bytea not null,
        created_at timestamptz(3) not null,
        primary key (store_id, sequence)
      );
      create index events_created_at on events (created_at);
      create table deliveries (
        id bigint generated always as identity primary key,
        store_id bigint not null,
        subscription_id bigint not null,
        sequence bigint not null,
        record text not null,
        -- Asked for by a person (replay, resend): its failure is not counted.
        manual boolean not null default false,
        state text not null default 'pending' check (state in ('pending', 'leased', 'succeeded', 'failed', 'skipped')),
        -- Attempts that ended; one that we lost is not among them.
        attempts int not null default 0,
        due_at timestamptz(3) not null,
        lease_until timestamptz(3),
        lease_token uuid,
        secret_version int not null,
        -- The first attempt has not ended: later events of the record wait.
        first_pending boolean not null default true,
        -- Waits behind an earlier first attempt of the same subscription and record (D141).
        held boolean not null default false,
        created_at timestamptz(3) not null,
        ended_at timestamptz(3)
      );
      create unique index deliveries_once on deliveries (subscription_id, sequence) where not manual;
      create index deliveries_manual on deliveries (subscription_id, sequence) where manual;
      create index deliveries_due on deliveries (subscription_id, due_at, id) where state = 'pending' and not held;
      create index deliveries_held on deliveries (subscription_id, record, id) where held;
      create index deliveries_first on deliveries (subscription_id, record) where first_pending;
      create index deliveries_leased on deliveries (subscription_id) where state = 'leased';
      create index deliveries_lease on deliveries (lease_until) where state = 'leased';
      create index deliveries_created_at on deliveries (created_at);
      create table attempts (
        id bigint generated always as identity primary key,
        subscription_id bigint not null,
        delivery_id bigint not null,
        -- 1 to 5; a number is used again when its attempt was lost.
        number int not null,
        event text not null,
        -- 0: no response.
        response_status int not null default 0,
        duration_ms int not null default 0,
        success boolean not null default false,
        -- Null while the POST is on its way; lost: the process that sent it ended before the answer.
        outcome text,
        created_at timestamptz(3) not null,
        ended_at timestamptz(3)
      );
      create index attempts_recent on attempts (subscription_id, id desc);
      create index attempts_open on attempts (subscription_id) where ended_at is null;
      create index attempts_delivery on attempts (delivery_id);
      create index attempts_created_at on attempts (created_at);
      create table notices (
        id bigint generated always as identity primary key,
        store_id bigint not null,
        subscription_id bigint not null,
        kind text not null,
        url text not null,
        failure_count int not null,
        delivery_id bigint,
        created_at timestamptz(3) not null
      );
      create index notices_store on notices (store_id, id desc);
      create index notices_created_at on notices (created_at)`);
    this.addSql(eventTables);
    this.addSql(idempotencyTable);
  }
}
