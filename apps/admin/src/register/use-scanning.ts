import { notifications } from '@mantine/notifications';
import { type Dispatch, type SetStateAction, useEffect } from 'react';
import { t } from '../language/t.ts';
import { useScans } from '../parts/use-scans.ts';
import { type Scan, scanFrom } from './scan-queue.ts';
import type { Till } from './till.ts';

interface Scanning {
  till: Till;
  setTill: Dispatch<SetStateAction<Till>>;
  scan: (scan: Scan) => void;
  /** While a payment is open or under way, nothing is added to the sale. */
  isLocked: boolean;
}

/** Takes codes that are scanned anywhere on the page, or typed into the search. Returns what takes one. */
export function useScanning({ till: { held = [], ended }, setTill, scan, isLocked }: Scanning): (text: string) => void {
  const enter = (text: string) => {
    const entered = scanFrom(text);
    if (!entered) return;
    if (!isLocked) return scan(entered);
    setTill((now) => ({ ...now, held: [...(now.held ?? []), entered] }));
    notifications.show({ message: t('{code} is kept until the payment ends', { code: entered.code }), color: 'yellow' });
  };
  useScans(enter);
  // They are of this sale while it is not paid; else the clerk is told, as the next sale would hide its change.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when nothing is open or under way any more.
  useEffect(() => {
    if (isLocked || held.length === 0) return;
    setTill(({ held: codes = [], ...now }) => (ended ? { ...now, late: [...(now.late ?? []), ...codes.map(({ code }) => code)] } : now));
    if (!ended) held.forEach(scan);
  }, [isLocked, held.length]);
  return enter;
}
