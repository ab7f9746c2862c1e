import { Button, Stack, Text } from '@mantine/core';
import { lazy, Suspense, useEffect } from 'react';
import { call } from '../api/client.ts';
import { queryClient, sayFailed } from '../api/query.ts';
import { session } from '../api/session.ts';
import { t } from '../language/t.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Loading, notLoaded } from '../parts/states.tsx';
import { useSignOut } from './use-sign-out.tsx';

const again = <Button onClick={() => window.location.reload()}>{t('Try again')}</Button>;
const SecondFactor = lazy(() => import('../account/second-factor.tsx').catch(() => notLoaded(again)));

/** An admin may ask for it no longer, or it was set up elsewhere. */
const lookAgain = () => void call('getSettings', {}).then(() => session.learn({ lacksSecondFactor: false }), sayFailed);

/** Over every page until it is set up: what was typed there is kept. */
export function DemandedFactor() {
  const { signOut, question } = useSignOut();
  // What was refused meanwhile is read again.
  useEffect(() => () => void queryClient.invalidateQueries(), []);
  return (
    <Dialog title={t('One more step')}>
      <Stack>
        <Text data-autofocus tabIndex={-1}>
          {t('This store asks its managers and admins for a one-time code when they sign in. Set it up to continue.')}
        </Text>
        <Suspense fallback={<Loading />}>
          <SecondFactor>
            <Button variant="subtle" onClick={lookAgain}>
              {t('Try again')}
            </Button>
          </SecondFactor>
        </Suspense>
        <Button variant="subtle" onClick={signOut}>
          {t('Sign out')}
        </Button>
      </Stack>
      {question}
    </Dialog>
  );
}
