/** Roles of staff (D177): every endpoint of the contract for clerk, manager and admin. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Endpoint } from '@store/contract';
import { texts } from '@store/problem';
import { openWorld, servedEndpoints, type World } from './world.ts';

let world: World;
const tokens: Record<string, string> = {};
const roles = ['clerk', 'manager', 'admin'];

beforeAll(async () => {
  world = await openWorld();
  for (const role of roles) {
    const user = { name: role, email: `${role}@roles.example`, password: 'correct horse battery', role };
    await world.call('POST', '/staff_users', { token: world.store.token, body: { staff_user: user } });
    tokens[role] = (await world.call('POST', '/staff_sessions', { body: { email: user.email, password: user.password } })).body.token;
  }
});
afterAll(() => world.close());

/** "Clerk: register and reads; Manager: all but keys, secrets, users and settings; Admin: all"; the register, customers, redeeming and purchase orders by D233. */
function mayCall(role: string, { httpMethod, path }: Endpoint): boolean {
  if (path === '/staff_sessions/current') return true;
  const family = path.split('/')[1]!;
  if (['api_keys', 'staff_users'].includes(family) || (family === 'settings' && httpMethod !== 'GET')) return role === 'admin';
  if (path.endsWith('_secret')) return role === 'admin';
  if (['audit_entries', 'requests', 'purchase_orders', 'suppliers'].includes(family)) return role !== 'clerk';
  if (path.endsWith('/redeem') || ['sales', 'cash_drawer_sessions'].includes(family)) return true;
  if (family === 'customers' && ['POST', 'PATCH', 'PUT'].includes(httpMethod) && path.split('/').length <= 3) return true;
  return httpMethod === 'GET' || role !== 'clerk';
}

const forStaff = servedEndpoints().filter(({ access }) => !access.keyOnly && !access.public);
const cases = forStaff
  .filter(({ path }) => path !== '/staff_sessions/current')
  .flatMap((endpoint) => roles.map((role) => [`${endpoint.httpMethod} ${endpoint.path}`, role, endpoint] as const));

describe('D177: every endpoint that staff have', () => {
  test.each(cases)('%s by a %s is answered as the role allows', async (_name, role, endpoint) => {
    const body = endpoint.httpMethod === 'GET' || endpoint.httpMethod === 'DELETE' ? undefined : {};
    const path = endpoint.path.replaceAll(/\{\w+\}/g, '999999');
    const answer = await world.call(endpoint.httpMethod, path, { token: tokens[role], body });
    if (mayCall(role, endpoint)) {
      expect([401, 403, 429, 500]).not.toContain(answer.status);
    } else {
      expect([answer.status, answer.body]).toEqual([403, { error: texts.role }]);
    }
  });

  test('every role may log out', async () => {
    for (const role of roles) {
      expect((await world.call('DELETE', '/staff_sessions/current', { token: tokens[role] })).status).toBe(200);
    }
  });
});
