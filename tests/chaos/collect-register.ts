/** What sales, customers, purchasing and inventory hold of the register at the end of a run. */
import type pg from 'pg';
import { rowsOf } from './collect.ts';
import type { RegisterHistory } from './history.ts';

const sales = `
  select s.id::int, s.receipt_number as receipt, s.completed_at is not null as counted, s.status = 'voided' as voided,
    s.customer_id::int as customer, (s.total * 100)::int as total,
    coalesce((select sum(amount) from sales.sale_payments p where p.sale_id = s.id and p.method = 'gift_card') * 100, 0)::int as card,
    coalesce((select sum(amount) from sales.sale_payments p where p.sale_id = s.id and p.method = 'store_credit') * 100, 0)::int as credit,
    coalesce((select sum(amount) from sales.sale_payments p where p.sale_id = s.id) * 100, 0)::int as paid,
    coalesce((select sum(amount) from sales.sale_payments p where p.sale_id = s.id and p.method = 'cash') * 100, 0)::int as cash,
    s.cash_drawer_session_id::int as drawer, s.refund_drawer_session_id::int as refunder,
    (extract(epoch from s.voided_at) * 1000)::float as "voidedAtMs",
    (select jsonb_agg(jsonb_build_object('product', l.product_id, 'quantity', (l.quantity * 1000)::int))
     from sales.sale_line_items l where l.sale_id = s.id) as lines
  from sales.sales s`;

const moved = `
  select a.reason, a.adjustment_type as type, a.product_id::int as product, (a.quantity_change * 1000)::int as change
  from inventory.stock_adjustments a join inventory.inventory_transactions t
    on t.store_id = a.store_id and t.adjustment_id = a.id
  where t.source in ('register', 'purchase_order')`;

const balances = `
  select 'gift card' as ledger, gift_card_id::int as holder, id::int, (amount * 100)::int as amount,
    (balance_before * 100)::int as before, (balance_after * 100)::int as after, sale_id::int as sale
  from sales.gift_card_transactions
  union all
  select 'store credit', customer_id::int, id::int, (amount * 100)::int, (balance_before * 100)::int, (balance_after * 100)::int, sale_id::int
  from customers.store_credit_transactions
  union all
  select 'points', customer_id::int, id::int, points::int, points_before::int, points_after::int, sale_id::int
  from customers.loyalty_movements`;

const holders = `
  select 'gift card' as ledger, id::int, (balance * 100)::int as balance from sales.gift_cards
  union all
  select 'store credit', id::int, (store_credit_balance * 100)::int from customers.customers
  union all
  select 'points', id::int, loyalty_points::int from customers.customers`;

const customers = 'select id::int, (lifetime_spend * 100)::int as spend, visit_count as visits from customers.customers';

const orders = `
  select o.order_number as number, l.product_id::int as product, (l.quantity_received * 1000)::int as received
  from purchasing.purchase_order_lines l join purchasing.purchase_orders o on o.id = l.order_id where l.product_id is not null`;

export async function registerOf(judge: pg.Client): Promise<RegisterHistory> {
  return {
    sales: await rowsOf(judge, sales),
    moved: await rowsOf(judge, moved),
    balances: await rowsOf(judge, balances),
    holders: await rowsOf(judge, holders),
    customers: await rowsOf(judge, customers),
    orders: await rowsOf(judge, orders),
  };
}
