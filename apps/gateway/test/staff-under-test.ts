/** Members of staff of the shared store, each with its own address, so that throttling one does not affect the others. */
import { findSession } from '../src/staff/find-session.ts';
import { asReply, messageOf, publicCall, staffCall } from './gateway-under-test.ts';
import { gateway, store } from './shared-gateway.ts';

export const password = 'correct horse battery';
let people = 0;

export async function person(more: Record<string, string> = {}) {
  people += 1;
  const email = `person-${people}@example.com`;
  const staff_user = { name: `Person ${people}`, email, password, role: 'clerk', ...more };
  const user = messageOf(await gateway.verbs.CreateStaffUser({ staff_user }, staffCall(store.session))).staff_user!;
  return { id: Number(user.id), email, ip: `198.51.100.${people % 256}` };
}

/** Tries to log in; `more`: what the browser sends besides. */
export const attempt = (email: string, secret: string, ip: string, more: { cookies?: string; userAgent?: string; otp?: string } = {}) =>
  gateway.verbs.CreateStaffSession({ email, password: secret, otp: more.otp }, { ...publicCall(ip), ...more });

export const find = (token: string) => findSession(gateway.app, token);

export async function login(email: string, ip: string, more?: Parameters<typeof attempt>[3]) {
  const token = messageOf(await attempt(email, password, ip, more)).token!;
  return { token, session: (await find(token))! };
}

/** The cookies that the browser with this answer sends with its next login. */
export function deviceCookie(answer: Parameters<typeof asReply>[0]): { cookies: string } {
  const cookie = asReply(answer).options.cookies?.find((text) => text.startsWith('__Host-device='));
  if (!cookie) throw new Error('the login gave the device no token');
  return { cookies: cookie.split(';')[0]! };
}
