import type { Redemption, Till } from './till.ts';

/** What the customer of this sale may have paid with points and has not got. */
export const owedTo = ({ owed = [], cart }: Till): Redemption[] => owed.filter(({ customer }) => customer.id === cart.customer?.id);

export const withoutOwed = (till: Till, id: string): Till =>
  till.owed ? { ...till, owed: till.owed.filter((one) => one.id !== id) } : till;
