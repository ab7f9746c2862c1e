import { notifications } from '@mantine/notifications';
import { call } from '../api/client.ts';
import { queryClient } from '../api/query.ts';
import { session } from '../api/session.ts';
import { t } from '../language/t.ts';

/** Ends the session here and at the API; nothing that was loaded stays in memory. */
export function useSignOut(): () => Promise<void> {
  return async () => {
    try {
      await call('deleteStaffSession', {});
    } catch (error) {
      notifications.show({ title: t('Signing out did not reach the store'), message: (error as Error).message, color: 'red' });
      return;
    }
    session.end();
    queryClient.clear();
  };
}
