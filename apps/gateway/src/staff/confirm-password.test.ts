import { expect, test } from '@jest/globals';
import { adminPassword, refusal } from '../../test/gateway-under-test.ts';
import { gateway, shareGateway } from '../../test/shared-gateway.ts';
import { confirmPassword } from './confirm-password.ts';

shareGateway();

const visit = (ip: string) => ({ ip, requestId: 'req-12345678' });

test("the caller's own password passes, another one is a 403 and a missing one a 400", async () => {
  const { session } = await gateway.store();
  await confirmPassword(gateway.app, session, adminPassword, visit('192.0.2.1'));
  expect(await refusal(confirmPassword(gateway.app, session, 'wrong', visit('192.0.2.1')))).toMatchObject({
    status: 403,
    message: 'Password is incorrect',
  });
  for (const none of [undefined, '']) {
    expect(await refusal(confirmPassword(gateway.app, session, none, visit('192.0.2.1')))).toMatchObject({ status: 400 });
  }
});

test('attempts are counted by session: after five even the right password must wait, and logins are not affected', async () => {
  const { session, adminEmail } = await gateway.store();
  for (let guess = 1; guess <= 5; guess++) {
    expect(await refusal(confirmPassword(gateway.app, session, 'wrong', visit(`192.0.2.${guess}`)))).toMatchObject({ status: 403 });
  }
  expect(await refusal(confirmPassword(gateway.app, session, adminPassword, visit('192.0.2.9')))).toMatchObject({ status: 429 });
  const other = await gateway.login(adminEmail, adminPassword, '192.0.2.9');
  await confirmPassword(gateway.app, other.session, adminPassword, visit('192.0.2.9'));
  gateway.clock.advance(1_000);
  await confirmPassword(gateway.app, session, adminPassword, visit('192.0.2.9'));
});

test('failed logins do not stop a session from confirming', async () => {
  const { session, adminEmail } = await gateway.store();
  for (let guess = 1; guess <= 6; guess++) await refusal(gateway.login(adminEmail, 'wrong', '192.0.2.20'));
  await confirmPassword(gateway.app, session, adminPassword, visit('192.0.2.20'));
});

test('a member of staff who was disabled meanwhile is refused', async () => {
  const { session } = await gateway.store();
  await gateway.app.db.read('update gateway.staff_users set active = false where id = $1', [session.userId]);
  expect(await refusal(confirmPassword(gateway.app, session, adminPassword, visit('192.0.2.1')))).toMatchObject({ status: 403 });
});
