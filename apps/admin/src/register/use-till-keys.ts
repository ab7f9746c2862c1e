import { type RefObject, useEffect, useRef } from 'react';

/**
 * Keys of the till. They act outside of fields and in the empty search, where they are no text, and only while no dialog is open: a form
 * whose fields are locked has lost the focus. What else is typed outside of fields, a short code or the `3*` before one, goes into the
 * search.
 */
export function useTillKeys(keys: Record<string, () => void>, search: RefObject<HTMLInputElement | null>): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const run = latest.current[event.key];
      if (event.ctrlKey || event.metaKey || event.altKey || isText(document.activeElement)) return;
      if (document.querySelector('[role="dialog"]')) return;
      if (!run) {
        // A space presses the button that has the focus.
        if (event.key.length === 1 && event.key !== ' ') search.current?.focus();
        return;
      }
      event.preventDefault();
      run();
    };
    // Before an Escape closes the dialog that it is meant for.
    window.addEventListener('keydown', listen, { capture: true });
    return () => window.removeEventListener('keydown', listen, { capture: true });
  }, [search]);
}

function isText(field: Element | null): boolean {
  if (field instanceof HTMLInputElement) return !field.matches('[data-takes-codes]') || field.value !== '';
  return field instanceof HTMLTextAreaElement;
}
