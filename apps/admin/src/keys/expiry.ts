/** When a new key can expire. */
import { t } from '../language/t.ts';

const days = [30, 90, 180, 365];
const dayMs = 86_400_000;

export const expiries = [
  { value: 'never', label: t('Never') },
  ...days.map((count) => ({ value: String(count), label: count === 365 ? t('In a year') : t('In {count} days', { count }) })),
];

/** The time in ISO 8601; undefined: never. */
export function expiryAt(choice: string, now: Date): string | undefined {
  return choice === 'never' ? undefined : new Date(now.getTime() + Number(choice) * dayMs).toISOString();
}
