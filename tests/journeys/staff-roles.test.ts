/**
 * Roles of staff, as D177, D233, D252 and D265 give them: who may call each endpoint, written here by hand and not read from the
 * protos. An endpoint that is missing here, or that the product no longer has, fails.
 */
import { describe, expect, test } from '@jest/globals';
import { endpoints } from '@store/contract';
import { texts } from '@store/problem';
import { useWorld } from '../kit/use.ts';

/** The lowest role that may call each endpoint. */
const endpointsOf = {
  // Reads; the register: sales, voids, drawers, customers, redeeming.
  clerk: `
    GET /products  GET /products/low_stock  GET /products/{id}
    GET /categories  GET /brands  GET /promotions  GET /revenue_centers  GET /warehouse_locations
    GET /stock_adjustments  GET /settings
    GET /customers  GET /customers/{id}  GET /customers/lookup_by_code/{code}  GET /customers/lookup_by_card/{card_number}
    GET /customers/{id}/loyalty  GET /customers/{id}/recent_sales
    GET /customers/{id}/loyalty/transactions  GET /customers/{id}/store_credit/transactions
    GET /loyalty_tiers  GET /loyalty_rewards  GET /loyalty_rewards/available
    GET /store_credits/customer/{customer_id}  GET /store_credits/snapshot
    GET /gift_cards/{id}  GET /gift_cards/{id}/transactions  GET /gift_cards/{id}/holds  GET /gift_cards/lookup/{card_number}
    GET /sales  GET /sales/by_hour  GET /sales/{id}  GET /sales/{id}/payments
    GET /cash_drawer_sessions
    POST /sales  PATCH /sales/{id}
    POST /cash_drawer_sessions  POST /cash_drawer_sessions/{id}/close  POST /cash_drawer_sessions/{id}/movements
    POST /customers  PATCH /customers/{id}  PUT /customers/{id}
    POST /customers/{id}/loyalty/redeem  POST /gift_cards/{id}/redeem
    GET /staff_users/me  PATCH /staff_users/me
    POST /staff_users/me/second_factor  POST /staff_users/me/second_factor/confirm  DELETE /staff_users/me/second_factor
    GET /staff_sessions  POST /staff_sessions/confirm  DELETE /staff_sessions/{id}
    DELETE /staff_sessions/others  DELETE /staff_sessions/current`,
  // All but keys, secrets, users and settings; purchase orders and the webhook monitor, reading included; the snapshot of cards.
  manager: `
    POST /products  POST /products/bulk_upsert  PATCH /products/bulk_update
    PATCH /products/{id}  DELETE /products/{id}  POST /products/{id}/restore
    POST /categories  PATCH /categories/{id}  DELETE /categories/{id}
    POST /brands  PATCH /brands/{id}  DELETE /brands/{id}
    POST /promotions  PATCH /promotions/{id}  DELETE /promotions/{id}
    POST /revenue_centers  PATCH /revenue_centers/{id}  DELETE /revenue_centers/{id}
    POST /warehouse_locations  PATCH /warehouse_locations/{id}  DELETE /warehouse_locations/{id}
    POST /stock_adjustments  POST /stock_reconciliations  POST /stock_transfers
    DELETE /customers/{id}  POST /customers/{id}/restore  POST /customers/{id}/merge  POST /customers/{id}/store_credit
    POST /customers/{id}/loyalty/earn  POST /customers/{id}/loyalty/adjust
    POST /loyalty_tiers  PATCH /loyalty_tiers/{id}  DELETE /loyalty_tiers/{id}
    POST /loyalty_rewards  PATCH /loyalty_rewards/{id}  DELETE /loyalty_rewards/{id}
    GET /gift_cards/snapshot  POST /gift_cards  POST /gift_cards/{id}/hold  DELETE /gift_cards/{id}/holds/{hold_id}  POST /gift_cards/{id}/cancel
    POST /gift_cards/{id}/adjust  PATCH /gift_cards/{id}
    GET /reports/day
    GET /purchase_orders  GET /purchase_orders/{id}  POST /purchase_orders  PATCH /purchase_orders/{id}
    POST /purchase_orders/{id}/invoice  POST /purchase_orders/{id}/receive  PATCH /purchase_orders/{id}/lines/{line_id}
    GET /suppliers  GET /suppliers/{id}  POST /suppliers  PATCH /suppliers/{id}  DELETE /suppliers/{id}
    GET /audit_entries  GET /requests  GET /requests/summary  GET /requests/{request_id}
    GET /webhook_monitor  GET /webhook_monitor/{id}  GET /webhook_monitor/summary  GET /webhook_notices
    DELETE /webhook_monitor/{id}  POST /webhook_monitor/{id}/replay  POST /webhook_monitor/deliveries/{id}/resend`,
  // Keys, secrets, users, settings, and resetting failures.
  admin: `
    GET /api_keys  POST /api_keys  DELETE /api_keys/{id}
    GET /staff_users  POST /staff_users  PATCH /staff_users/{id}  POST /staff_users/{id}/invite
    DELETE /staff_users/{id}/second_factor
    PATCH /settings
    POST /webhook_monitor/{id}/reset  POST /webhook_monitor/{id}/reveal_secret  POST /webhook_monitor/{id}/rotate_secret`,
};

const roles = ['clerk', 'manager', 'admin'] as const;
const logout = 'DELETE /staff_sessions/current';
/** Not an rpc: the gateway proxies it (D179). Its rule is that of the monitor. */
const stream = 'GET /webhook_monitor/stream';
const leastRole = new Map(
  roles.flatMap((role) =>
    endpointsOf[role]
      .trim()
      .split(/\s{2,}/)
      .map((name) => [name, role] as const),
  ),
);

const tokens: Record<string, string> = {};

const world = await useWorld();
for (const role of roles) tokens[role] = await world.newStaff(role);

const refusedRoles = (name: string) => roles.slice(0, roles.indexOf(leastRole.get(name)!));

describe('D177, D233: who may call what', () => {
  test('every endpoint that staff have is in the table, and no other', () => {
    const forStaff = endpoints().filter(({ access }) => !access.keyOnly && !access.public);
    expect([...leastRole.keys()].sort()).toEqual(forStaff.map(({ httpMethod, path }) => `${httpMethod} ${path}`).sort());
  });

  test.each([...leastRole.keys()].filter((name) => name !== logout))('%s', async (name) => {
    const [method, path] = name.split(' ') as [string, string];
    for (const role of roles) {
      const body = method === 'GET' || method === 'DELETE' ? undefined : {};
      const answer = await world.call(method, path.replaceAll(/\{\w+\}/g, '999999'), { token: tokens[role], body });
      if (refusedRoles(name).includes(role)) expect([role, answer.status, answer.body]).toEqual([role, 403, { error: texts.role }]);
      else expect([401, 403, 429, 500]).not.toContain(answer.status);
    }
  });

  test(`${stream} is a manager's, as the monitor is`, async () => {
    const open = async (role: string) => {
      const aborting = new AbortController();
      const headers = { Authorization: `Bearer ${tokens[role]}` };
      const { status } = await fetch(`${world.baseUrl}/api/v1/webhook_monitor/stream`, { headers, signal: aborting.signal });
      aborting.abort();
      return status;
    };
    expect([await open('clerk'), await open('manager'), await open('admin')]).toEqual([403, 200, 200]);
  });

  test('every role may log out', async () => {
    for (const role of roles) {
      expect((await world.call('DELETE', '/staff_sessions/current', { token: tokens[role] })).status).toBe(200);
    }
  });
});
