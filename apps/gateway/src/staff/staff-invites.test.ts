/** D264: an admin invites by a link that is used once, in the place of choosing somebody's password. */
import { expect, test } from '@jest/globals';
import { messageOf, publicCall, refusal, staffCall } from '../../test/gateway-under-test.ts';
import { gateway, shareGateway, store } from '../../test/shared-gateway.ts';
import { findSession } from './find-session.ts';

shareGateway();

const chosen = 'nine lanterns over the harbour';
const hour = 3_600_000;
const unknown = { status: 404, message: 'Invite not found' };
let people = 0;
const input = (more: Record<string, string> = {}) => {
  people += 1;
  return { name: `Ivy ${people}`, email: `ivy-${people}@example.com`, role: 'clerk', ...more };
};
const create = async (more: Record<string, string> = {}) => {
  const answer = messageOf(await gateway.verbs.CreateStaffUser({ staff_user: input(more), invite: 'true' }, staffCall(store.session)));
  return { ...answer.staff_user!, id: String(answer.staff_user!.id), token: answer.invite!.token!, until: answer.invite!.expires_at! };
};
const invite = (id: string, by = store) => gateway.verbs.InviteStaffUser({ id }, staffCall(by.session));
const accept = (token?: string, password: string | undefined = chosen) =>
  gateway.verbs.AcceptStaffInvite({ token, password }, publicCall('192.0.2.50'));

test('who is invited has no password, chooses one once, and logs in with it', async () => {
  const user = await create();
  expect(user.token).toMatch(new RegExp(`^${user.id}-[\\w-]{43}$`));
  expect(user.until).toBe(new Date(gateway.clock.now().getTime() + 72 * hour).toISOString());
  expect(user.invited_until).toBe(user.until);
  for (const password of ['', chosen]) expect((await refusal(gateway.login(user.email!, password))).status).toBeLessThan(402);
  const accepted = messageOf(await accept(user.token)).staff_user!;
  expect(accepted).toMatchObject({ email: user.email, invited_until: undefined });
  await gateway.login(user.email!, chosen);
  expect(await refusal(accept(user.token, 'another long password'))).toMatchObject(unknown);
});

test('of two who use a link at once one succeeds', async () => {
  const { token } = await create();
  const both = await Promise.allSettled([accept(token), accept(token, 'another long password')]);
  expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('a link ends after 72 hours, with a newer one, or when its user changes', async () => {
  const [late, renewed, moved, gone] = [await create(), await create(), await create(), await create()];
  const { token: next } = messageOf(await invite(renewed.id)).invite!;
  const change = (id: string, staff_user: object) => gateway.verbs.UpdateStaffUser({ id, staff_user }, staffCall(store.session));
  await change(moved.id, { email: 'elsewhere@example.com' });
  await change(gone.id, { active: 'false' });
  for (const { token } of [renewed, moved, gone]) expect(await refusal(accept(token))).toMatchObject(unknown);
  expect(await refusal(invite(gone.id))).toMatchObject({ status: 422, extra: { errors: ["An inactive user can't be invited"] } });
  await accept(next);
  gateway.clock.advance(72 * hour);
  expect(await refusal(accept(late.token))).toMatchObject(unknown);
  gateway.clock.advance(-72 * hour);
  await accept(late.token);
});

test('a link for somebody with a password keeps it until a new one ends the sessions', async () => {
  const user = await create();
  await accept(user.token);
  const { token } = await gateway.login(user.email!, chosen);
  const { token: link } = messageOf(await invite(user.id)).invite!;
  expect(await findSession(gateway.app, token)).toBeDefined();
  await accept(link, 'another long password');
  expect(await findSession(gateway.app, token)).toBeUndefined();
  expect((await refusal(gateway.login(user.email!, chosen))).status).toBe(401);
  await gateway.login(user.email!, 'another long password');
});

test.each([
  ['no token', undefined, chosen, 400, 'param is missing or the value is empty: token'],
  ['a token that is none', 'x', chosen, 404, 'Invite not found'],
  ['another token of a user', `1-${'a'.repeat(43)}`, chosen, 404, 'Invite not found'],
  ['an id beyond every id', `999999999999999-${'a'.repeat(43)}`, chosen, 404, 'Invite not found'],
  ['no password', 'x', '', 422, "Validation failed: Password can't be blank"],
  ['a short password', 'x', 'short', 422, 'Validation failed: Password is too short (minimum is 12 characters)'],
])('%s is refused', async (_title, token, password, status, message) => {
  expect(await refusal(accept(token, password))).toMatchObject({ status, message });
});

test('a password that is easy to guess is a 422 and leaves the link', async () => {
  const { token } = await create();
  const refused = { status: 422, extra: { errors: ['Password is too easy to guess'] } };
  expect(await refusal(accept(token, 'Password12345'))).toMatchObject(refused);
  await accept(token);
});

test('a password beside the invite, a non-boolean invite, and neither are a 422', async () => {
  const send = (staff_user: object, sent?: string) => gateway.verbs.CreateStaffUser({ staff_user, invite: sent }, staffCall(store.session));
  for (const [sent, error] of [
    [send(input({ password: chosen }), 'true'), "Password can't be given with an invite"],
    [send(input(), 'perhaps'), 'Invite must be true or false'],
    [send(input()), "Password can't be blank"],
  ] as const) {
    expect(await refusal(sent)).toMatchObject({ status: 422, extra: { errors: [error] } });
  }
});

test('the trail names the invite and its use; the token is stored only sealed', async () => {
  const call = staffCall(store.session, { idempotency: { key: 'invite-1', hash: Buffer.alloc(32) } });
  const { staff_user, invite: created } = messageOf(await gateway.verbs.CreateStaffUser({ staff_user: input(), invite: 'true' }, call));
  await accept(created!.token!);
  expect(await gateway.audits(`staff_user:${staff_user!.id}`)).toMatchObject([
    { audit: { action: 'staff_user.create' } },
    { audit: { after: { invited_until: created!.expires_at } } },
    { audit: { after: { invite_accepted: true, password_changed: true } }, actor: { type: 'user', user: { id: Number(staff_user!.id) } } },
  ]);
  const stored = await gateway.app.db.read(`select u::text from gateway.staff_users u union all select o::text from gateway.outbox o
     union all select encode(answer, 'escape') from gateway.idempotency`);
  const token = created!.token!;
  expect(JSON.stringify(stored)).not.toContain(token.slice(token.indexOf('-') + 1));
});
