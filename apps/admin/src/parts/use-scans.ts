import { useEffect, useRef } from 'react';
import { listenToScanner } from './scanner.ts';

/** Takes what a scanner types while this is on the page, whatever field has the focus; `leavesDialogs`: but for those of a dialog. */
export function useScans(onScan: (code: string, whole?: string) => void, leavesDialogs = false): void {
  const heard = useRef(onScan);
  heard.current = onScan;
  useEffect(() => listenToScanner((code, whole) => heard.current(code, whole), { leavesDialogs }), [leavesDialogs]);
}
