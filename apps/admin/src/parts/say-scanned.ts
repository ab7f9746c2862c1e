/** What is said of a piece that was scanned. */
import { notifications } from '@mantine/notifications';
import { t } from '../language/t.ts';
import { isNoQuantity } from './quantity.ts';

/** Names the field of a line's quantity. */
export const quantityOf = (line: number) => ({ 'data-quantity-of': line });

/** A scan cannot be added to a text that is no quantity. */
export function sayNotCounted(name: string | undefined): void {
  notifications.show({
    message: t('{name} is not counted: correct its quantity, then scan it again', { name }),
    color: 'yellow',
    autoClose: false,
  });
}

/** Of one more of a line, with the quantity that it had. */
export function sayScanned(line: number, name: string | undefined, quantity: number | string | undefined): void {
  // What is typed into its quantity may be meant with the piece or without it.
  if (document.activeElement?.getAttribute('data-quantity-of') === String(line)) {
    const message = t('{name} was scanned while you are at its quantity: look whether it is right', { name });
    notifications.show({ id: `raised-${line}`, message, color: 'yellow', autoClose: false });
  }
  if (isNoQuantity(quantity)) sayNotCounted(name);
}
