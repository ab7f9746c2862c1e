import { notifications } from '@mantine/notifications';
import { useEffect, useState } from 'react';
import { call } from '../api/client.ts';
import { versions } from '../api/versions.ts';
import { t } from '../language/t.ts';
import { type CartAction, saleOf } from './cart.ts';
import { endedElsewhere, type Sale, type Till } from './till.ts';
import type { useTill } from './use-till.ts';

interface Parking extends Pick<ReturnType<typeof useTill>, 'begin' | 'refused' | 'setRefused'> {
  till: Till;
  change: (action: CartAction) => void;
  isLocked: boolean;
}

/** Parks the sale, and takes a parked one up as it is now; the sale before is parked first. */
export function useParking({ till: { cart, sending, ended, parkedRewards }, change, begin, refused, setRefused, isLocked }: Parking) {
  const park = () =>
    cart.lines.length > 0 &&
    !isLocked &&
    begin({ kind: 'park', saleId: cart.parked?.id, version: cart.parked?.version, sale: { ...saleOf(cart), status: 'pending' } });
  const take = async (id: number) => {
    try {
      const sale = (await call('getSale', { params: { id } })).sale as Sale;
      const told = endedElsewhere(sale);
      if (told !== undefined) throw new Error(told);
      change({ kind: 'resume', sale, version: versions.of(`/sales/${id}`), rewards: parkedRewards?.[id] });
    } catch (error) {
      setRefused(error as Error);
    }
  };
  const [next, setNext] = useState<number>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: it waits for the sale before alone.
  useEffect(() => {
    if (next === undefined || sending) return;
    setNext(undefined);
    if (refused) return;
    if (ended?.kind === 'park') notifications.show({ message: t('Parked as {receipt}', { receipt: ended.receipt }) });
    void take(next);
  }, [next, sending]);
  const resume = ({ id }: Sale) => {
    if (id === cart.parked?.id) return;
    if (cart.lines.length === 0) return void take(id);
    park();
    setNext(id);
  };
  return { park, resume };
}
