import { Migration } from '@mikro-orm/migrations';
import { idempotencyTable } from '@store/db';
import { eventTables } from '@store/events';

export class StoresKeysStaffAudit extends Migration {
  override up(): void {
    this.addSql('set local search_path to gateway');
    this.addSql(idempotencyTable);
    for (const statement of eventTables.split(';')) if (statement.trim() !== '') this.addSql(statement);
    for (const statement of tables.split(';')) if (statement.trim() !== '') this.addSql(statement);
  }
}

const tables = `
  create table gateway.stores (
    id bigint generated always as identity primary key,
    name text not null,
    time_zone text not null,
    currency text not null,
    locale text not null,
    province text,
    pos_subscription text not null check (pos_subscription in ('active', 'inactive')),
    onboarding text not null check (onboarding in ('done', 'pending')),
    features text[] not null,
    tax jsonb not null,
    contact jsonb not null,
    branding jsonb not null,
    settings jsonb not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  );

  create table gateway.staff_users (
    id bigint generated always as identity primary key,
    store_id bigint not null references gateway.stores (id),
    name text not null,
    email text not null constraint staff_users_email unique check (email = lower(email)),
    password_hash text not null,
    role text not null check (role in ('clerk', 'manager', 'admin')),
    financial_data boolean not null,
    active boolean not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  );
  create index staff_users_store on gateway.staff_users (store_id, name, id);

  create table gateway.staff_sessions (
    id bigint generated always as identity primary key,
    user_id bigint not null references gateway.staff_users (id),
    token_hash bytea not null unique,
    csrf_hash bytea not null,
    created_at timestamptz(3) not null,
    last_seen_at timestamptz(3) not null,
    expires_at timestamptz(3) not null
  );
  create index staff_sessions_user on gateway.staff_sessions (user_id);

  create table gateway.login_failures (
    account text primary key,
    failures int not null,
    blocked_until timestamptz(3),
    failed_at timestamptz(3) not null
  );
  create index login_failures_failed_at on gateway.login_failures (failed_at);

  create table gateway.login_failures_by_ip (
    ip text not null,
    minute timestamptz(3) not null,
    failures int not null,
    primary key (ip, minute)
  );
  create index login_failures_by_ip_minute on gateway.login_failures_by_ip (minute);

  create table gateway.api_keys (
    id bigint generated always as identity primary key,
    store_id bigint not null references gateway.stores (id),
    name text not null,
    hash bytea not null unique,
    pepper_id int not null,
    previous_hash bytea,
    last4 text not null,
    scopes text[] not null,
    scopes_used text[] not null default '{}',
    rate_limit int not null check (rate_limit between 1 and 1000),
    expires_at timestamptz(3),
    test_mode boolean not null,
    created_by bigint not null references gateway.staff_users (id),
    created_at timestamptz(3) not null,
    last_used_at timestamptz(3),
    revoked_at timestamptz(3)
  );
  create index api_keys_store on gateway.api_keys (store_id, id desc);

  create table gateway.key_usage (
    key_id bigint not null,
    minute timestamptz(3) not null,
    requests bigint not null,
    primary key (key_id, minute)
  );
  create index key_usage_minute on gateway.key_usage (minute);

  create table gateway.audit_entries (
    id bigint generated always as identity primary key,
    store_id bigint not null,
    created_at timestamptz(3) not null,
    actor_type text not null,
    key_id bigint,
    key_name text,
    user_id bigint,
    user_name text,
    action text not null,
    resource_type text not null,
    resource_id bigint not null,
    before jsonb,
    after jsonb,
    request_id text not null,
    ip text not null,
    event_ids text[] not null
  );
  create index audit_entries_store on gateway.audit_entries (store_id, created_at desc, id desc);
  create index audit_entries_key on gateway.audit_entries (store_id, key_id, created_at desc, id desc) where key_id is not null;
  create index audit_entries_resource on gateway.audit_entries (store_id, resource_type, resource_id, created_at desc, id desc)`;
