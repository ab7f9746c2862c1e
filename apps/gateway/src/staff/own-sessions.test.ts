/** D263: one's own sessions, listed and ended. */
import { expect, test } from '@jest/globals';
import { messageOf, refusal, staffCall } from '../../test/gateway-under-test.ts';
import { gateway, shareGateway } from '../../test/shared-gateway.ts';
import { find, login, person } from '../../test/staff-under-test.ts';

shareGateway();
const alive = async (...logins: { token: string }[]) =>
  (await Promise.all(logins.map(({ token }) => find(token)))).map((session) => session !== undefined);
const list = async ({ session }: { session: Parameters<typeof staffCall>[0] }) =>
  messageOf(await gateway.verbs.ListStaffSessions({}, staffCall(session))).staff_sessions!;

test('the list shows where and since when each live session is, the last used first', async () => {
  const { email, ip } = await person();
  await login((await person()).email, ip);
  const ended = await login(email, ip);
  gateway.clock.advance(30 * 60_000);
  const old = await login(email, '198.51.100.77', { userAgent: `Firefox/140 ${'x'.repeat(300)}` });
  gateway.clock.advance(60_000);
  const mine = await login(email, ip);
  const [first, second, ...none] = await list(mine);
  expect(none).toEqual([]);
  const now = gateway.clock.now();
  const expires_at = new Date(now.getTime() + 12 * 3_600_000).toISOString();
  const times = { created_at: now.toISOString(), last_used_at: now.toISOString(), expires_at };
  expect(first).toEqual({ id: mine.session.sessionId, device: '', address: ip, ...times, current: true });
  expect(second).toMatchObject({ id: old.session.sessionId, address: '198.51.100.77', current: false });
  expect(second!.device).toMatch(/^Firefox\/140 x{243}$/);
  expect(await alive(ended, old, mine)).toEqual([false, true, true]);
});

test("one session is ended by its id; another person's and an unknown one are one 404", async () => {
  const [{ email, ip }, other] = [await person(), await person()];
  const [mine, lost, theirs] = [await login(email, ip), await login(email, ip), await login(other.email, ip)];
  const end = (id: unknown) => gateway.verbs.EndStaffSession({ id: String(id) }, staffCall(mine.session));
  expect(messageOf(await end(lost.session.sessionId))).toEqual({ success: true, message: 'Session ended' });
  expect(await refusal(end(theirs.session.sessionId))).toEqual(await refusal(end(999_999)));
  for (const id of [lost.session.sessionId, 'x']) {
    expect(await refusal(end(id))).toMatchObject({ status: 404, message: 'Staff session not found' });
  }
  expect(await alive(mine, lost, theirs)).toEqual([true, false, true]);
});

test('all others are ended at once, each with an audit entry', async () => {
  const { email, ip, id } = await person();
  const [mine, one, two] = [await login(email, ip), await login(email, '198.51.100.8'), await login(email, ip)];
  await gateway.verbs.EndOtherStaffSessions({}, staffCall(mine.session));
  expect(await alive(mine, one, two)).toEqual([true, false, false]);
  expect((await list(mine)).map(({ current }) => current)).toEqual([true]);
  const ended = await gateway.audits(`staff_user:${id}`, 'staff_session.ended');
  expect(ended.map(({ audit }) => audit)).toMatchObject([
    { action: 'staff_session.end', resource_id: one.session.sessionId, before: { address: '198.51.100.8' } },
    { action: 'staff_session.end', resource_id: two.session.sessionId },
  ]);
});
