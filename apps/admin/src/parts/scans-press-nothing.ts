import { useEffect } from 'react';
import { isText, Scans } from './scanner.ts';

/** The Enter of a scan presses no button that has the focus, such as the one that opened the last dialog. Pages that take scans hear it still. */
export function useScansPressNothing(): void {
  useEffect(() => {
    const scans = new Scans();
    const listen = (event: KeyboardEvent) => {
      const field = document.activeElement;
      const isOfScan = scans.isRest(event) || scans.key(event, field) !== undefined;
      if (isOfScan && !isText(field)) event.preventDefault();
    };
    document.addEventListener('keydown', listen, { capture: true });
    return () => document.removeEventListener('keydown', listen, { capture: true });
  }, []);
}
