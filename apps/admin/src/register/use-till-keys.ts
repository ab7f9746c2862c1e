import { type RefObject, useEffect, useRef } from 'react';

/** No hand is so fast: what comes sooner behind a key is the rest of a code that begins with it, such as `+A1234`. */
const handMinMs = 60;

/**
 * Keys of the till. They act outside of fields and in the empty search, where they are no text, and only while no dialog is open: a form
 * whose fields are locked has lost the focus. What else is typed outside of fields, a short code or the `3*` before one, goes into the
 * search.
 */
export function useTillKeys(keys: Record<string, () => void>, search: RefObject<HTMLInputElement | null>): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    let pressed: { key: string; at: number; timer: ReturnType<typeof setTimeout> } | undefined;
    const listen = (event: KeyboardEvent) => {
      const { key, timeStamp: at } = event;
      // Neither Shift, of a capital letter, nor a function key, of another hand, ends a code.
      if (event.ctrlKey || event.metaKey || event.altKey || key === 'Shift' || /^F\d+$/.test(key)) return;
      const before = pressed;
      pressed = undefined;
      clearTimeout(before?.timer);
      // The same key twice is a hand's.
      if (before && (before.key === key || at - before.at > handMinMs)) latest.current[before.key]?.();
      if (isText(document.activeElement) || document.querySelector('[role="dialog"]')) return;
      const run = latest.current[key];
      if (!run) {
        // A space presses the button that has the focus.
        if (key.length === 1 && key !== ' ') search.current?.focus();
        return;
      }
      event.preventDefault();
      // No code begins with Escape or Delete.
      if (key.length > 1) return run();
      const timer = setTimeout(() => {
        pressed = undefined;
        latest.current[key]?.();
      }, handMinMs);
      pressed = { key, at, timer };
    };
    // Before an Escape closes the dialog that it is meant for.
    window.addEventListener('keydown', listen, { capture: true });
    return () => {
      clearTimeout(pressed?.timer);
      window.removeEventListener('keydown', listen, { capture: true });
    };
  }, [search]);
}

function isText(field: Element | null): boolean {
  if (field instanceof HTMLInputElement) return !field.matches('[data-takes-codes]') || field.value !== '';
  return field instanceof HTMLTextAreaElement;
}
