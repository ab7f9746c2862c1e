/** Customers as sales copies them, archived and merged ones included. */
import { type Row, sql } from '@store/db';
import type { Republished } from '@store/service';
import { type Customer, factOf } from './customer.ts';

export const republishCustomers: Republished = {
  stores: 'select distinct store_id as id from customers.customers order by 1',
  next: async (em, storeId, after, limit) => {
    const rows = await sql<Row<typeof Customer>>(
      em,
      `select id, name, customer_code, email, phone, archived_at, merged_into from customers.customers
       where store_id = $1 and id > $2 order by id limit $3 for no key update`,
      [storeId, after, limit],
    );
    return rows.map((row) => ({
      id: row.id,
      event: { name: 'customer.state', aggregate: `customer:${row.id}`, internal: { customer: factOf(row) } },
    }));
  },
};
