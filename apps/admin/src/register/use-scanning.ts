import { notifications } from '@mantine/notifications';
import { type Dispatch, type SetStateAction, useRef } from 'react';
import { t } from '../language/t.ts';
import { useScans } from '../parts/use-scans.ts';
import { type Scan, scanFrom } from './scan-queue.ts';
import type { Till } from './till.ts';

interface Scanning {
  scan: (scan: Scan) => void;
  setTill: Dispatch<SetStateAction<Till>>;
  /** While a payment is open or under way, nothing is added to the sale. */
  isLocked: boolean;
}

/** Takes codes that are scanned anywhere on the page, or typed into the search. */
export function useScanning({ scan, setTill, isLocked }: Scanning) {
  const late = useRef<Scan[]>([]);
  const enter = (text: string) => {
    const entered = scanFrom(text);
    if (!entered) return;
    if (!isLocked) return scan(entered);
    late.current.push(entered);
    notifications.show({ message: t('{code} is kept until the payment ends', { code: entered.code }), color: 'yellow' });
  };
  useScans(enter);
  /** What was scanned meanwhile is of this sale while it is not paid; else the clerk is told, as the next sale would hide its change. */
  const takeLate = (isPaid: boolean) => {
    const scans = late.current.splice(0);
    if (isPaid) setTill((now) => ({ ...now, late: [...(now.late ?? []), ...scans.map(({ code }) => code)] }));
    else scans.forEach(scan);
  };
  return { enter, takeLate };
}
