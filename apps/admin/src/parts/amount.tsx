import { useStore } from '../api/store.ts';
import { shownMoney } from './money.ts';

/** An amount in the store's currency. */
export function Amount({ of }: { of: string | number | null | undefined }) {
  const { currency } = useStore();
  return <span className="numeric nowrap">{shownMoney(of, currency)}</span>;
}
