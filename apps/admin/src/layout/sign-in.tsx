import { Alert, Button, Center, Paper, Stack, Text, Title } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { call } from '../api/client.ts';
import { ApiProblem, mayHaveActed } from '../api/problem.ts';
import { queryClient } from '../api/query.ts';
import { session } from '../api/session.ts';
import { counted, t } from '../language/t.ts';
import { Dialog } from '../parts/dialog.tsx';
import { PasswordField } from '../parts/password-field.tsx';
import { takesScans } from '../parts/scanner.ts';
import { TextField } from '../parts/text-field.tsx';

const codeRequired = 'One-time code required';

/** Stands in the place of every page while nobody is signed in; the address stays, so signing in leads back to it. */
export function SignIn() {
  useEffect(() => {
    document.title = t('Sign in · Store admin');
    // What one person loaded is not for the next.
    queryClient.clear();
  }, []);
  return (
    <Center mih="100vh" p="md" component="main">
      <Paper p="xl" w="100%" maw={400} shadow="sm">
        <Stack>
          <div>
            <Title order={1}>{t('Store admin')}</Title>
            <Text c="dimmed" size="sm">
              {t('Sign in with your staff account.')}
            </Text>
          </div>
          <SignInForm />
        </Stack>
      </Paper>
    </Center>
  );
}

/** Over the page whose session has ended: what was typed there is kept. Somebody else who signs in begins anew. */
export function SignInOver({ userId }: { userId: number }) {
  return (
    <Dialog title={t('Sign in again')} zIndex={400}>
      <Stack>
        <Alert color="indigo">{t('Your session has ended. Sign in again to continue.')}</Alert>
        <SignInForm
          onSignedIn={async (id) => {
            if (id !== userId) queryClient.clear();
            await queryClient.invalidateQueries();
          }}
        />
      </Stack>
    </Dialog>
  );
}

function SignInForm({ onSignedIn }: { onSignedIn?: (userId: number) => Promise<void> }) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [otp, setOtp] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string>();
  /** The code of which the answer was lost: a recovery code is used up by it. */
  const [lostOtp, setLostOtp] = useState<string>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setRefused(undefined);
    try {
      const { user, csrf_token, expires_at } = await call('createStaffSession', { body: { email, password, ...(otp && { otp }) } });
      session.begin({ user: user!, csrfToken: csrf_token, expiresAt: expires_at });
      await onSignedIn?.(user!.id);
    } catch (error) {
      if ((error as Error).message === codeRequired) setOtp('');
      else if (otp && otp === lostOtp && !mayHaveActed(error))
        setRefused(`${(error as Error).message}. ${t('It was sent already: use another one if it is a recovery code')}`);
      else setRefused(sentence(error as Error));
      if (mayHaveActed(error)) setLostOtp(otp);
      setBusy(false);
    }
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {refused && (
          <Alert color="red" role="alert">
            {refused}
          </Alert>
        )}
        <TextField
          label={t('E-mail')}
          type="email"
          autoComplete="username"
          required
          withAsterisk={false}
          data-autofocus
          value={email}
          onText={setEmail}
        />
        <PasswordField label={t('Password')} value={password} onText={setPassword} />
        {otp !== undefined && (
          <TextField
            label={t('One-time code')}
            description={t('From your authenticator app, or one of your recovery codes')}
            autoComplete="one-time-code"
            {...takesScans}
            required
            withAsterisk={false}
            autoFocus
            value={otp}
            onText={setOtp}
          />
        )}
        <Button type="submit" loading={busy} fullWidth>
          {t('Sign in')}
        </Button>
      </Stack>
    </form>
  );
}

function sentence(error: Error): string {
  if (!(error instanceof ApiProblem) || error.status !== 429) return error.message;
  const minutes = Math.ceil((error.retryAfterSeconds ?? 60) / 60);
  return counted(minutes, 'Too many attempts. Try again in a minute.', 'Too many attempts. Try again in {count} minutes.');
}
