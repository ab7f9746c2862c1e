import { notifications } from '@mantine/notifications';
import { t } from '../language/t.ts';

/** Names the field of a line's quantity. */
export const quantityOf = (line: number) => ({ 'data-quantity-of': line });

/** A piece is found whose quantity has the focus: what is typed there may be meant with it or without it, so the person is told. */
export function sayRaised(line: number, name: string | undefined): void {
  if (document.activeElement?.getAttribute('data-quantity-of') !== String(line)) return;
  const message = t('{name} was scanned while you are at its quantity: look whether it is right', { name });
  notifications.show({ id: `raised-${line}`, message, color: 'yellow', autoClose: false });
}
