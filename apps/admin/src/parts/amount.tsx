import { useStore } from '../api/store.ts';
import { shownMoney, shownUnitCost } from './money.ts';

/** An amount in the store's currency. */
export function Amount({ of }: { of: string | number | null | undefined }) {
  const { currency } = useStore();
  return <span className="numeric nowrap">{shownMoney(of, currency)}</span>;
}

/** What one of a product costs, with up to four decimals. */
export function UnitCost({ of }: { of: number }) {
  const { currency } = useStore();
  return <span className="numeric nowrap">{shownUnitCost(of, currency)}</span>;
}
