import { useEffect, useRef } from 'react';
import { listenToScanner } from './scanner.ts';

/** Takes what a scanner types while this is on the page, whatever field has the focus. */
export function useScans(onScan: (code: string, whole?: string) => void): void {
  const heard = useRef(onScan);
  heard.current = onScan;
  useEffect(() => listenToScanner((code, whole) => heard.current(code, whole)), []);
}
