import { notifications } from '@mantine/notifications';
import { useRef } from 'react';
import { t } from '../language/t.ts';

type Quantity = number | string;

interface Typed {
  /** When it was typed last, in milliseconds of the page. */
  at: number;
  /** The last key, of a hand or a scanner. */
  keyAt: number;
  before: { quantity: Quantity; at: number };
}

/** A pause this long parts what was typed from what was typed before it. */
const pauseMs = 100;

/** Remembers when the quantity of each line was typed: a piece that was scanned before, and found later, is in what was typed. */
export function useTypedSince() {
  const typed = useRef(new Map<number, Typed>());
  return {
    /** `held`: what the field held before this key. What a scanner types is taken out again, and does not count. */
    note: (line: number, quantity: Quantity, held: Quantity): void => {
      const keyAt = performance.now();
      const last = typed.current.get(line);
      const isOfLast = last && keyAt - last.keyAt <= pauseMs;
      const before = isOfLast ? last.before : { quantity: held, at: last?.at ?? Number.NEGATIVE_INFINITY };
      typed.current.set(line, { at: quantity === before.quantity ? before.at : keyAt, keyAt, before });
    },
    forget: (line: number) => void typed.current.delete(line),
    /** Whether the line's quantity was typed since `scannedAt`. If so, that the scan does not count is said. */
    isTypedSince: (line: number, scannedAt: number, name: string | undefined): boolean => {
      const last = typed.current.get(line);
      if (!last || last.at <= scannedAt) return false;
      const message = t('{name} was scanned before its quantity was typed: what you typed stays', { name });
      notifications.show({ message, color: 'yellow', autoClose: false });
      return true;
    },
  };
}
