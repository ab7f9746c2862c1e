import { notifications } from '@mantine/notifications';
import { t } from '../language/t.ts';

/** A scan cannot be added to a text that is no quantity. */
export function sayNotCounted(name: string | undefined): void {
  notifications.show({
    message: t('{name} is not counted: correct its quantity, then scan it again', { name }),
    color: 'yellow',
    autoClose: false,
  });
}
