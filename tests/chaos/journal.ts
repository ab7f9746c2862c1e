/**
 * An independent record of what was committed: triggers write it in the same transaction that they
 * watch, so it holds nothing that was rolled back and does not depend on the code under test. They run with the rights
 * of their owner: a service's role may write to its own schema only.
 */
import type pg from 'pg';
import type { Change, Emitted } from './history.ts';

const tables = `
  create schema chaos;
  create table chaos.changes (
    n bigint generated always as identity primary key,
    topic text not null,
    xid xid8 not null default pg_current_xact_id(),
    record text not null,
    resource text not null,
    marks text[] not null,
    name text,
    audit text
  );
  create table chaos.emitted (
    n bigint generated always as identity primary key,
    topic text not null,
    xid xid8 not null default pg_current_xact_id(),
    event_id text not null,
    record text not null,
    resource text,
    hash text
  );
  create table chaos.stamps (of text not null, id bigint not null, at timestamptz not null default clock_timestamp());
  create index on chaos.stamps (of, id);
  create function chaos.stamp() returns trigger language plpgsql security definer as $$
  begin
    insert into chaos.stamps (of, id) values (tg_table_name, new.id);
    return null;
  end $$;
  create function chaos.emitted() returns trigger language plpgsql security definer as $$
  begin
    insert into chaos.emitted (topic, event_id, record, resource, hash) values (
      tg_table_schema || '.events', new.event_id, new.aggregate,
      convert_from(new.public, 'UTF8')::jsonb ->> 'resource_id', encode(sha256(new.public), 'hex'));
    return null;
  end $$`;

/** A row's numbers are assigned while it is locked, so they rise in commit order. */
const productChanges = `
  create function chaos.product_changed() returns trigger language plpgsql security definer as $$
  declare
    hidden text[] := '{search_text,stock_version,updated_at}';
    is_new boolean := tg_op = 'INSERT';
    marks text[] := '{}';
    -- Stock and costs follow from what other services say; nobody is named for them in the audit trail.
    followed text[] := '{stock,cost,average_cost,written_cost,cost_written_at}';
    by_stock boolean := false;
  begin
    if not is_new then
      if to_jsonb(new) - hidden = to_jsonb(old) - hidden then return null; end if;
      by_stock := to_jsonb(new) - hidden - followed = to_jsonb(old) - hidden - followed;
    end if;
    if is_new or new.name <> old.name then marks := marks || new.name; end if;
    if not is_new and new.price <> old.price then marks := marks || ('price ' || new.price || ' of ' || new.id); end if;
    insert into chaos.changes (topic, record, resource, marks, name, audit) values (
      'catalog.events', new.id, new.id, marks, new.name, case when not by_stock then 'Product:' || new.id end);
    return null;
  end $$;
  create trigger chaos after insert or update on catalog.products for each row execute function chaos.product_changed()`;

const ledgerChanges = `
  create function chaos.ledger_written() returns trigger language plpgsql security definer as $$
  begin
    insert into chaos.changes (topic, record, resource, marks, audit)
    select 'inventory.events', a.product_id, new.id,
      -- Rows that events wrote are named by their sale or order, and nobody's request wrote them.
      case when new.source in ('register', 'purchase_order') then '{}'
        else array[coalesce(a.reason, 'change ' || a.quantity_change || ' of ' || a.product_id)] end,
      case when new.source not in ('register', 'purchase_order') then 'StockAdjustment:' || a.id end
    from inventory.stock_adjustments a where a.id = new.adjustment_id;
    return null;
  end $$;
  create trigger chaos after insert on inventory.inventory_transactions for each row execute function chaos.ledger_written()`;

/** One event when a sale becomes completed, and one when it is voided. */
const saleChanges = `
  create function chaos.sale_changed() returns trigger language plpgsql security definer as $$
  declare
    marks text[];
  begin
    if tg_op = 'INSERT' and new.status = 'completed' then marks := array[new.receipt_number];
    elsif tg_op = 'INSERT' or new.status = old.status then return null;
    elsif new.status = 'completed' then marks := array['completed ' || new.receipt_number];
    elsif new.status = 'voided' then marks := array[new.void_reason];
    else return null;
    end if;
    insert into chaos.changes (topic, record, resource, marks) values ('sales.events', new.id, new.id, marks);
    return null;
  end $$;
  create trigger chaos after insert or update on sales.sales for each row execute function chaos.sale_changed()`;

const customerChanges = `
  create function chaos.customer_changed() returns trigger language plpgsql security definer as $$
  declare
    hidden text[] := '{search_text,email_key,phone_digits,updated_at}';
  begin
    if tg_op = 'UPDATE' and to_jsonb(new) - hidden = to_jsonb(old) - hidden then return null; end if;
    insert into chaos.changes (topic, record, resource, marks) values ('customers.events', new.id, new.id, '{}');
    return null;
  end $$;
  create trigger chaos after insert or update on customers.customers for each row execute function chaos.customer_changed()`;

const orderChanges = `
  create function chaos.order_changed() returns trigger language plpgsql security definer as $$
  begin
    if new.status <> 'received' or (tg_op = 'UPDATE' and old.status = 'received') then return null; end if;
    insert into chaos.changes (topic, record, resource, marks) values ('purchasing.events', new.id, new.id, '{}');
    return null;
  end $$;
  create trigger chaos after insert or update on purchasing.purchase_orders for each row execute function chaos.order_changed()`;

/** Records the rows that these schemas' outboxes receive. */
export async function installJournal(database: pg.Client, schemas: readonly string[]): Promise<void> {
  const triggers = schemas.map(
    (schema) => `create trigger chaos after insert on ${schema}.outbox for each row execute function chaos.emitted()`,
  );
  await database.query([tables, ...triggers].join(';\n'));
}

/** Keeps when deliveries and attempts were written, by the server's own clock. */
export async function stampDeliveries(database: pg.Client): Promise<void> {
  const tables = ['webhooks.deliveries', 'webhooks.attempts'];
  await database.query(
    tables.map((table) => `create trigger chaos after insert on ${table} for each row execute function chaos.stamp()`).join(';\n'),
  );
}

/** Records the changes that events report: of products, the stock ledger, sales, customers and received orders. */
export async function watchStoreChanges(database: pg.Client): Promise<void> {
  await database.query([productChanges, ledgerChanges, saleChanges, customerChanges, orderChanges].join(';\n'));
}

export async function journaledChanges(database: pg.Client): Promise<Change[]> {
  // Several statements of one transaction on the same record are one change.
  const { rows } = await database.query<Change & { n: string }>(
    `select min(n)::text as n, topic, xid::text, record, resource,
       coalesce(array_agg(distinct mark) filter (where mark is not null), '{}') as marks,
       (array_agg(name order by n desc))[1] as name, max(audit) as audit
     from chaos.changes left join lateral unnest(marks) as mark on true group by topic, xid, record, resource order by min(n)`,
  );
  return rows.map((row) => ({ ...row, n: Number(row.n) }));
}

export async function journaledEvents(database: pg.Client): Promise<Emitted[]> {
  const { rows } = await database.query<Emitted>(
    `select event_id as "eventId", topic, xid::text, record, resource, hash from chaos.emitted order by n`,
  );
  return rows;
}
