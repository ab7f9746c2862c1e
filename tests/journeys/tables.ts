/**
 * What background work does to each table: which rows it is still to handle, and which are written by reading requests and by
 * timers. Typed by the apps' entities: a new table that is not listed here does not compile.
 */
import type { entities as catalog } from '@store/catalog/tables';
import type { entities as customers } from '@store/customers/tables';
import type { Tables } from '@store/db';
import type { entities as gateway } from '@store/gateway/tables';
import type { entities as inventory } from '@store/inventory/tables';
import type { entities as purchasing } from '@store/purchasing/tables';
import type { entities as sales } from '@store/sales/tables';
import type { entities as webhooks } from '@store/webhooks/tables';

export interface Table {
  /** A queue: the condition of the rows that background work is about to handle; $1 is the time of the clock. */
  due?: string;
  /** Columns that reading requests or timers write, or `all`. */
  background?: 'all' | readonly string[];
}

type TablesOf<Entities extends readonly { name: string }[]> = Record<keyof Tables<Entities[number]> & string, Table>;

/** Only requests and events write it. */
const records: Table = {};
/** A count, a log or a block of numbers. */
const counted: Table = { background: 'all' };
const everyRow = 'true';

/** In every schema. */
const common = {
  outbox: { due: everyRow },
  inbox: records,
  dead_letters: records,
  idempotency: records,
  migrations: records,
} satisfies Record<string, Table>;

const ofCatalog: TablesOf<typeof catalog> = {
  stores: records,
  brands: records,
  revenue_centers: records,
  categories: records,
  category_revenue_centers: records,
  products: records,
  product_weight_presets: records,
  product_categories: records,
  product_revenue_centers: records,
  product_totals: counted,
  category_totals: counted,
  promotions: { due: 'announced_running <> ((starts_at is null or starts_at <= $1) and (ends_at is null or ends_at > $1))' },
  promotion_products: records,
  received_lines: records,
  line_products: records,
};

const ofCustomers: TablesOf<typeof customers> = {
  stores: records,
  running_totals: counted,
  customers: records,
  customer_codes: records,
  customer_sales: records,
  loyalty_tiers: records,
  tier_changes: { due: everyRow },
  loyalty_rewards: records,
  loyalty_movements: records,
  products: records,
  store_credit_transactions: records,
  store_credit_tenders: records,
};

const ofInventory: TablesOf<typeof inventory> = {
  staff_users: records,
  stock_adjustments: records,
  stock_adjustment_counts: counted,
  stock_items: records,
  stock_reconciliations: records,
  inventory_transactions: records,
  location_stock: records,
  stores: records,
  warehouse_locations: records,
};

const ofSales: TablesOf<typeof sales> = {
  cash_drawer_sessions: records,
  customers: records,
  // Expired cards are marked every five minutes: too long to wait for, and only after a test has moved the clock past 03:00.
  gift_cards: records,
  gift_card_transactions: records,
  receipt_number_blocks: counted,
  running_totals: counted,
  sales: records,
  sale_line_items: records,
  sale_payments: records,
  stores: records,
  store_credit_intents: { due: `giving_back or created_at < $1 - interval '30 s'` },
};

const ofPurchasing: TablesOf<typeof purchasing> = {
  running_totals: counted,
  order_number_blocks: counted,
  suppliers: records,
  purchase_orders: records,
  purchase_order_lines: records,
  supplier_documents: records,
};

const ofWebhooks: TablesOf<typeof webhooks> = {
  subscriptions: records,
  subscription_secrets: records,
  revoked_keys: records,
  stores: records,
  events: records,
  deliveries: { due: `state = 'leased' or (state = 'pending' and not held and due_at <= $1)` },
  attempts: records,
  notices: records,
};

const ofGateway: TablesOf<typeof gateway> = {
  stores: records,
  staff_users: records,
  staff_sessions: counted,
  login_guesses: counted,
  login_failures_by_ip: counted,
  login_failures_by_account: counted,
  api_keys: { background: ['last_used_at', 'scopes_used'] },
  key_usage: counted,
  pepper_marks: records,
  audit_entries: records,
  requests: counted,
};

const bySchema = {
  catalog: ofCatalog,
  customers: ofCustomers,
  inventory: ofInventory,
  sales: ofSales,
  purchasing: ofPurchasing,
  webhooks: ofWebhooks,
  gateway: ofGateway,
};

/** By full name, as catalog.products. */
export const tables: Record<string, Table> = Object.fromEntries(
  Object.entries(bySchema).flatMap(([schema, own]) =>
    Object.entries({ ...common, ...own }).map(([name, table]) => [`${schema}.${name}`, table]),
  ),
);
