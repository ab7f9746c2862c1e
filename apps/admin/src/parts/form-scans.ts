import { notifications } from '@mantine/notifications';
import { type KeyboardEvent, useRef } from 'react';
import { t } from '../language/t.ts';
import { end, type Scanned, Scans, setText } from './scanner.ts';

const takesNoCodes = 'input[inputmode=decimal], input[inputmode=numeric], input[type=date], input[type=datetime-local]';

/**
 * In a form a scan is the text of its field: the Enter behind it sends nothing, as the rest of the form may be empty still, and no number
 * or date becomes that code. Returns what hears the form's keys before its fields do.
 */
export function useFormScans(): (event: KeyboardEvent) => void {
  const scans = useRef(new Scans());
  return (event) => {
    if (scans.current.isRest(event.nativeEvent)) return end(event);
    const field = event.target as Element;
    const scan = scans.current.key(event.nativeEvent, field);
    if (!scan) return;
    if (field instanceof HTMLInputElement && field.matches('[data-holds-code]')) setText(field, `${beginningIn(field, scan)}${scan.code}`);
    if (field.closest('[data-takes-scans]')) return;
    end(event);
    const fields = [...scan.before].filter(([one]) => one.matches(takesNoCodes));
    for (const [one, text] of fields) setText(one, text);
    if (fields.length > 0)
      notifications.show({ message: t('{code} was scanned; this field takes no codes', { code: scan.code }), color: 'yellow' });
  };
}

/** What a scanner that stalled typed of the code before: of the text before it, what went into this field. */
function beginningIn(field: HTMLInputElement, { lead, before, beforeLead }: Scanned): string {
  const [held = '', now = ''] = [beforeLead.get(field), before.get(field)];
  const typed = now.startsWith(held) ? now.slice(held.length) : now;
  return lead.endsWith(typed) ? typed : '';
}
