import { expect, test } from '@jest/globals';
import { adminPassword, refusal, type Store } from '../../test/gateway-under-test.ts';
import { gateway, shareGateway } from '../../test/shared-gateway.ts';
import { confirmPassword } from './confirm-password.ts';

shareGateway();

const confirm = (session: Store['session'], ip: string, password = adminPassword) =>
  confirmPassword(gateway.app, session, password, { ip, requestId: 'req-12345678' });

test('attempts are counted by session: after five the right password waits, logins not', async () => {
  const { session, adminEmail } = await gateway.store();
  for (let guess = 1; guess <= 5; guess++) expect((await refusal(confirm(session, `192.0.2.${guess}`, 'wrong'))).status).toBe(403);
  expect((await refusal(confirm(session, '192.0.2.9'))).status).toBe(429);
  const other = await gateway.login(adminEmail, adminPassword, '192.0.2.9');
  await confirm(other.session, '192.0.2.9');
  gateway.clock.advance(1_000);
  await confirm(session, '192.0.2.9');
});

test('failed logins do not stop a session from confirming', async () => {
  const { session, adminEmail } = await gateway.store();
  for (let guess = 1; guess <= 6; guess++) await refusal(gateway.login(adminEmail, 'wrong', '192.0.2.20'));
  await confirm(session, '192.0.2.20');
});

test('a member of staff who was disabled meanwhile is refused', async () => {
  const { session } = await gateway.store();
  await gateway.app.db.read('update gateway.staff_users set active = false where id = $1', [session.userId]);
  expect((await refusal(confirm(session, '192.0.2.1'))).status).toBe(403);
});
