import type { Transaction } from './transactions.ts';

/** A line of the data, but for what is said. */
export const row = (changes: Partial<Transaction> = {}): Transaction => ({
  invoice: '536365',
  code: '71053',
  description: 'WHITE METAL LANTERN',
  quantity: 6,
  pence: 339,
  at: '2010-12-01T08:26',
  customer: '17850',
  country: 'United Kingdom',
  ...changes,
});
