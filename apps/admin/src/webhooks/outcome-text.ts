import { t } from '../language/t.ts';

/** Why there was no answer, where the reason says more than its name. */
const reasons: Record<string, string> = {
  timeout: t('timed out'),
  refused: t('connection refused'),
  reset: t('connection reset'),
  dns: t('name not found'),
  tls: t('certificate refused'),
  blocked: t('address not allowed'),
  not_https: t('not https'),
  secret_unreadable: t('secret unreadable'),
};

export const outcomeText = (outcome: string): string => reasons[outcome] ?? outcome;
