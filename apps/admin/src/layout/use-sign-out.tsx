import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { type AtStake, lastAtStake } from '../api/at-stake.ts';
import { call } from '../api/client.ts';
import { queryClient } from '../api/query.ts';
import { session } from '../api/session.ts';
import { t } from '../language/t.ts';
import { AskToLeave } from '../parts/leaving.tsx';

/** Ends the session here and at the API; nothing that was loaded stays in memory. */
async function end(): Promise<void> {
  try {
    await call('deleteStaffSession', {});
  } catch (error) {
    // It had ended already.
    if (session.get()?.lapsed) return forget();
    notifications.show({ title: t('Signing out did not reach the store'), message: (error as Error).message, color: 'red' });
    return;
  }
  forget();
}

function forget(): void {
  session.end();
  queryClient.clear();
}

/** `question` asks first where something would be lost, and belongs beside the button. */
export function useSignOut() {
  const [atStake, setAtStake] = useState<AtStake>();
  const signOut = () => {
    const last = lastAtStake();
    if (last) setAtStake(last);
    else void end();
  };
  const leave = () => {
    setAtStake(undefined);
    void end();
  };
  const question = <AskToLeave opened={atStake !== undefined} lost={atStake?.lost} onStay={() => setAtStake(undefined)} onLeave={leave} />;
  return { signOut, question };
}
