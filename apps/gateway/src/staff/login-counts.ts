/** Tables of the counts that throttle password attempts; `account` is a hash of the typed address. */
import { defineEntity, p } from '@mikro-orm/core';
import { timeColumn } from '@store/db';

/** Consecutive failures, by account and by address, known device or session. */
export const LoginGuess = defineEntity({
  name: 'LoginGuess',
  tableName: 'login_guesses',
  properties: {
    account: p.text().primary(),
    source: p.text().primary(),
    failures: p.integer(),
    blockedUntil: timeColumn().nullable(),
    failedAt: timeColumn(),
  },
  indexes: [{ name: 'login_guesses_failed_at', properties: ['failedAt'] }],
});

export const LoginFailuresByIp = defineEntity({
  name: 'LoginFailuresByIp',
  tableName: 'login_failures_by_ip',
  properties: { ip: p.text().primary(), minute: timeColumn().primary(), failures: p.integer() },
  indexes: [{ name: 'login_failures_by_ip_minute', properties: ['minute'] }],
});

export const LoginFailuresByAccount = defineEntity({
  name: 'LoginFailuresByAccount',
  tableName: 'login_failures_by_account',
  properties: { account: p.text().primary(), hour: timeColumn().primary(), failures: p.integer() },
  indexes: [{ name: 'login_failures_by_account_hour', properties: ['hour'] }],
});
