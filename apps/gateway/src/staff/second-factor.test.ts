/** D262: a second factor by codes of an authenticator app (TOTP). */
import { describe, expect, test } from '@jest/globals';
import { parseKeyRing } from '@store/db';
import { resealApp } from '@store/service';
import { Secret, TOTP } from 'otpauth';
import { asReply, messageOf, refusal, staffCall } from '../../test/gateway-under-test.ts';
import { gateway, shareGateway, store } from '../../test/shared-gateway.ts';
import { attempt, find, login as loginWith, password, person } from '../../test/staff-under-test.ts';
import { sealedRows } from '../sealed.ts';
import { stepOf } from './second-factor.ts';

shareGateway();

const stepMs = 30_000;
const codeAt = (secret: string, steps = 0) =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: gateway.clock.now().getTime() + steps * stepMs });
const tryLogin = (email: string, ip: string, otp?: string) => attempt(email, password, ip, { otp });
const login = (email: string, ip: string, otp?: string) => loginWith(email, ip, { otp });
const refusedCode = { status: 401, message: 'Invalid one-time code' };

/** Somebody with a second factor, at a time whose code was not used. */
async function enrolled(more: Record<string, string> = {}) {
  const user = await person(more);
  const { session, token } = await login(user.email, user.ip);
  const { secret, uri } = messageOf(await gateway.verbs.BeginSecondFactor({}, staffCall(session)));
  const { recovery_codes } = messageOf(await gateway.verbs.ConfirmSecondFactor({ otp: codeAt(secret!) }, staffCall(session)));
  gateway.clock.advance(stepMs);
  return { ...user, session, token, secret: secret!, uri: uri!, recovery: recovery_codes! };
}

test('the codes are those of RFC 6238 (appendix B, six digits)', () => {
  const secret = new Secret({ buffer: new TextEncoder().encode('12345678901234567890').buffer }).base32;
  for (const [seconds, code] of [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [20_000_000_000, '353130'],
  ] as const) {
    expect(stepOf(secret, code, new Date(seconds * 1_000))).toBe(Math.floor(seconds / 30));
  }
});

describe('setting it up', () => {
  test('the first code turns it on and ends other sessions; the audit has no secrets', async () => {
    const user = await person();
    const [mine, other] = [await login(user.email, user.ip), await login(user.email, user.ip)];
    const { secret, uri } = messageOf(await gateway.verbs.BeginSecondFactor({}, staffCall(mine.session)));
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(uri).toContain(`otpauth://totp/${encodeURIComponent(store.session.store.name)}:${encodeURIComponent(user.email)}?`);
    expect(uri).toContain(`secret=${secret}`);
    // Not asked for yet.
    await login(user.email, user.ip);
    const confirm = (otp?: string) => gateway.verbs.ConfirmSecondFactor({ otp }, staffCall(mine.session));
    expect(await refusal(confirm())).toMatchObject({ status: 400 });
    expect(await refusal(confirm('000000'))).toMatchObject({ status: 422, message: 'Validation failed: Otp is not the current code' });
    const { recovery_codes } = messageOf(await confirm(codeAt(secret!)));
    expect(new Set(recovery_codes).size).toBe(10);
    for (const code of recovery_codes!) expect(code).toMatch(/^([a-z2-7]{4}-){3}[a-z2-7]{4}$/);
    expect(await find(mine.token)).toBeDefined();
    expect(await find(other.token)).toBeUndefined();
    const rows = await gateway.app.db.read<{ text: string }>(
      'select u::text from gateway.staff_users u union all select o::text from gateway.outbox o union all select i::text from gateway.idempotency i',
    );
    const stored = JSON.stringify(rows);
    for (const hidden of [secret!, ...recovery_codes!, recovery_codes![0]!.replaceAll('-', '')]) expect(stored).not.toContain(hidden);
    expect(stored).toContain('second_factor');
    for (const again of [gateway.verbs.BeginSecondFactor({}, staffCall(mine.session)), confirm(codeAt(secret!))]) {
      expect((await refusal(again)).status).toBe(422);
    }
  });

  test('answers with secrets are stored sealed for their Idempotency-Key, and replayed', async () => {
    const { email, ip } = await person();
    const { session } = await login(email, ip);
    const call = staffCall(session, { idempotency: { key: 'totp-1', hash: Buffer.alloc(32) } });
    const { secret } = messageOf(await gateway.verbs.BeginSecondFactor({}, call));
    const again = asReply(await gateway.verbs.BeginSecondFactor({}, call));
    expect(Buffer.from(again.options.bytes!).toString()).toContain(secret);
    const [row] = await gateway.app.db.read<{ answer: string }>(
      "select encode(answer, 'escape') as answer from gateway.idempotency where key = 'totp-1'",
    );
    expect(row!.answer).toMatch(/^v1\|/);
    const confirming = staffCall(session, { idempotency: { key: 'totp-2', hash: Buffer.alloc(32) } });
    const otp = codeAt(secret!);
    const confirmed = () => gateway.verbs.ConfirmSecondFactor({ otp }, confirming);
    const { recovery_codes } = messageOf(await confirmed());
    expect(Buffer.from(asReply(await confirmed()).options.bytes!).toString()).toContain(recovery_codes![0]);
  });
});

describe('the login', () => {
  test('needs a code: none is a 401 that asks and counts no failure, a wrong one a 401', async () => {
    const { email, ip, secret } = await enrolled();
    for (let n = 0; n < 8; n++)
      expect(await refusal(tryLogin(email, ip))).toMatchObject({ status: 401, message: 'One-time code required' });
    expect(await refusal(tryLogin(email, ip, '000000'))).toMatchObject(refusedCode);
    const { session } = await login(email, ip, codeAt(secret).replace(/^.../, '$& '));
    expect(session.userId).toBeGreaterThan(0);
    const wrong = await refusal(attempt(email, 'wrong', ip, { otp: codeAt(secret, 1) }));
    expect(wrong).toMatchObject({ status: 401, message: 'Invalid email or password' });
  });

  test('a code counts once, also of two logins at once; only those one step away count', async () => {
    const { email, ip, secret } = await enrolled();
    const both = await Promise.allSettled([1, 2].map(() => tryLogin(email, ip, codeAt(secret))));
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await refusal(tryLogin(email, ip, codeAt(secret)))).toMatchObject(refusedCode);
    for (const steps of [-2, 2]) expect(await refusal(tryLogin(email, ip, codeAt(secret, steps)))).toMatchObject(refusedCode);
    await login(email, ip, codeAt(secret, 1));
    // Older than the last one that was used.
    expect(await refusal(tryLogin(email, ip, codeAt(secret)))).toMatchObject(refusedCode);
    gateway.clock.advance(3 * stepMs);
    await login(email, ip, codeAt(secret, -1));
  });

  test('after five wrong codes the right one waits too; asking for one clears nothing', async () => {
    const { email, ip, secret } = await enrolled();
    for (let n = 0; n < 4; n++) await refusal(tryLogin(email, ip, '000000'));
    await refusal(tryLogin(email, ip));
    expect(await refusal(tryLogin(email, ip, '000000'))).toMatchObject(refusedCode);
    for (const otp of [codeAt(secret), undefined]) expect((await refusal(tryLogin(email, ip, otp))).status).toBe(429);
    gateway.clock.advance(1_000);
    await login(email, ip, codeAt(secret));
  });

  test('a recovery code counts once, in any case, with or without dashes; others stay', async () => {
    const { email, ip, recovery } = await enrolled();
    const both = await Promise.allSettled([1, 2].map(() => tryLogin(email, ip, recovery[3])));
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await refusal(tryLogin(email, ip, recovery[3]))).toMatchObject(refusedCode);
    await login(email, ip, recovery[0]!.toUpperCase().replaceAll('-', ''));
    for (const junk of ['xxxx-xxxx-xxxx-xxxx', '-', 'x'.repeat(5_000)]) {
      expect(await refusal(tryLogin(email, `203.0.113.${junk.length % 200}`, junk))).toMatchObject(refusedCode);
    }
  });
});

describe('taking it away', () => {
  test('one turns the own one off; there is none to turn off twice', async () => {
    const { email, ip, session } = await enrolled();
    await gateway.verbs.RemoveOwnSecondFactor({}, staffCall(session));
    await login(email, ip);
    const again = await refusal(gateway.verbs.RemoveOwnSecondFactor({}, staffCall(session)));
    expect(again).toMatchObject({ status: 404, message: 'Second factor not found' });
  });

  test('an admin resets it for staff of the store: sessions end and old codes are gone', async () => {
    const { id, email, ip, token, recovery } = await enrolled();
    await gateway.verbs.RemoveSecondFactor({ id: String(id) }, staffCall(store.session));
    expect(await find(token)).toBeUndefined();
    await login(email, ip, recovery[1]);
    const entries = await gateway.audits(`staff_user:${id}`, 'staff_user.updated');
    expect(entries.map(({ audit }) => audit)).toMatchObject([{ after: { second_factor: true } }, { after: { second_factor: false } }]);
  });
});

test('secrets move to a new key of SECRET_KEYS, and their codes go on counting', async () => {
  const { email, ip, secret } = await enrolled();
  const old = gateway.app.config.keyRing;
  const next = `2:${Buffer.alloc(32, 7).toString('base64')}`;
  const both = { ...parseKeyRing(next), ids: [2, ...old.ids] };
  const ring = { ...both, open: (sealed: string, to: string) => (sealed.startsWith('v1|2|') ? both : old).open(sealed, to) };
  const lines: string[] = [];
  await resealApp({ app: 'gateway', url: gateway.url, ring, rows: sealedRows, others: [], say: (line) => void lines.push(line) });
  expect(lines.join('\n')).toMatch(/\d+ second factors moved to key 2 of SECRET_KEYS/);
  gateway.app.config = { ...gateway.app.config, keyRing: parseKeyRing(next) };
  await login(email, ip, codeAt(secret));
  gateway.app.config = { ...gateway.app.config, keyRing: ring };
});
