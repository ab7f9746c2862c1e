/** Clears the till. A new sale comes back by Undo; a parked one ends for every till, which is asked about first. */

import { type RefObject, useState } from 'react';
import { newIdempotencyKey } from '../api/idempotency-key.ts';
import { t } from '../language/t.ts';
import type { useUndos } from '../parts/undoable.tsx';
import { isUnused } from './cart.ts';
import { ConfirmDiscard } from './parked-sales.tsx';
import { takeQuantity } from './scan.ts';
import type { useTill } from './use-till.ts';

interface OfTheTill extends Pick<ReturnType<typeof useTill>, 'tell' | 'tillNow'>, ReturnType<typeof useUndos> {
  search: RefObject<HTMLInputElement | null>;
}

/** `question` is what asks, and belongs onto the page. */
export function useClear({ tell, tillNow, offer, endOffers, search }: OfTheTill) {
  const [asked, setAsked] = useState<string>();
  const end = () => {
    const { cart, scans, choices, unknown, late, unsold } = tillNow();
    const before = { cart, scans, choices, unknown, late, unsold };
    const isLost = !isUnused(cart) || [scans, choices, unknown, late, unsold].some(({ length }) => length > 0);
    if (!tell({ kind: 'clear', id: newIdempotencyKey() })) return;
    endOffers();
    takeQuantity(search.current);
    // Of a parked sale it makes a new one.
    if (isLost) offer(t('The sale was cleared'), () => tell({ kind: 'restore', before }));
    search.current?.focus();
  };
  const clear = () => {
    const { cart, work } = tillNow();
    // What it waits for is told.
    if (!cart.parked || work) return end();
    // The dialog gives the focus back to where it was.
    search.current?.focus();
    setAsked(cart.parked.receipt);
  };
  const confirm = () => {
    setAsked(undefined);
    end();
  };
  return { clear, question: <ConfirmDiscard receipt={asked} onClose={() => setAsked(undefined)} onConfirm={confirm} /> };
}
