import { useEffect, useRef } from 'react';

/** Keys that stand for themselves: heard where they can mean no text, which is outside of fields and in the empty search. */
export function useTillKeys(keys: Record<string, () => void>): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const run = latest.current[event.key];
      if (!run || event.ctrlKey || event.metaKey || event.altKey || isText(document.activeElement)) return;
      event.preventDefault();
      run();
    };
    // Before an Escape closes the dialog that it is meant for.
    window.addEventListener('keydown', listen, { capture: true });
    return () => window.removeEventListener('keydown', listen, { capture: true });
  }, []);
}

function isText(field: Element | null): boolean {
  if (field?.closest('[role="dialog"]')) return true;
  if (field instanceof HTMLInputElement) return !field.matches('[data-takes-scans]') || field.value !== '';
  return field instanceof HTMLTextAreaElement;
}
