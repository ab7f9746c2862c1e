/** Members of staff of a store, each with its own address, so that throttling one does not affect the others. */
import type { GatewayCall } from '../src/gateway.ts';
import { asReply, type gatewayUnderTest, messageOf, publicCall, type Store, staffCall } from './gateway-under-test.ts';

type Gateway = Awaited<ReturnType<typeof gatewayUnderTest>>;

export const password = 'correct horse battery';

export function staffOf(gateway: Gateway, store: Store) {
  let people = 0;
  return {
    /** A new member of staff of the store. */
    async person(more: Record<string, string> = {}) {
      people += 1;
      const email = `person-${people}@example.com`;
      const staff_user = { name: `Person ${people}`, email, password, role: 'clerk', ...more };
      const user = messageOf(await gateway.verbs.CreateStaffUser({ staff_user }, staffCall(store.session))).staff_user!;
      return { id: Number(user.id), email, ip: `198.51.100.${people}` };
    },
    /** Tries to log in. */
    attempt: (email: string, secret: string, ip: string, cookies?: string) => {
      const call: GatewayCall = { ...publicCall(ip), cookies };
      return gateway.verbs.CreateStaffSession({ email, password: secret }, call);
    },
  };
}

/** The cookies that the browser with this answer sends with its next login. */
export function deviceCookie(answer: Parameters<typeof asReply>[0]): string {
  const cookie = asReply(answer).options.cookies?.find((text) => text.startsWith('__Host-device='));
  if (!cookie) throw new Error('the login gave the device no token');
  return cookie.split(';')[0]!;
}
