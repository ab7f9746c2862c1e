import { notifications } from '@mantine/notifications';
import { useRef } from 'react';
import { t } from '../language/t.ts';

/** Remembers when the quantity of each line was typed: a piece that was scanned before, and found later, is in what was typed. */
export function useTypedSince() {
  const typedAt = useRef(new Map<number, number>());
  return {
    note: (line: number) => void typedAt.current.set(line, performance.now()),
    /** Whether the line's quantity was typed since `scannedAt`. If so, that the scan does not count is said. */
    isTypedSince: (line: number, scannedAt: number, name: string | undefined): boolean => {
      if ((typedAt.current.get(line) ?? 0) <= scannedAt) return false;
      const message = t('{name} was scanned before its quantity was typed: what you typed stays', { name });
      notifications.show({ message, color: 'yellow', autoClose: false });
      return true;
    },
  };
}
