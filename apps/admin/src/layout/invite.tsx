/** Where the link of an invite leads: its holder chooses a password, once. The token is behind the #, which no server sees. */

import { Alert, Anchor, Button, Center, Paper, Stack, Text, Title } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { useWrite } from '../api/query.ts';
import { t } from '../language/t.ts';
import { PasswordField } from '../parts/password-field.tsx';
import { passwordMin } from '../parts/password-rule.ts';

export default function Invite() {
  const [password, setPassword] = useState('');
  const accept = useWrite('acceptStaffInvite', { quiet: true });
  useEffect(() => {
    document.title = t('Choose a password · Store admin');
  }, []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    accept.mutate({ body: { token: window.location.hash.slice(1), password } });
  };
  const error = accept.error?.message;
  return (
    <Center mih="100vh" p="md" component="main">
      <Paper p="xl" w="100%" maw={400} shadow="sm">
        <form onSubmit={submit}>
          <Stack>
            <Title order={1}>{t('Choose a password')}</Title>
            {error && (
              <Alert color="red" role="alert">
                {error === 'Invite not found' ? t('This link was used already, or is no longer valid. Ask an admin for a new one.') : error}
              </Alert>
            )}
            {accept.data ? (
              <>
                <Text>{t('Your password is set. Sign in as {email}.', { email: accept.data.staff_user?.email })}</Text>
                <Anchor href="/admin">{t('To the sign-in')}</Anchor>
              </>
            ) : (
              <>
                <PasswordField
                  label={t('New password')}
                  description={t('At least {passwordMin} characters, not easy to guess', { passwordMin })}
                  autoComplete="new-password"
                  minLength={passwordMin}
                  value={password}
                  onText={setPassword}
                />
                <Button type="submit" loading={accept.isPending} fullWidth>
                  {t('Set the password')}
                </Button>
              </>
            )}
          </Stack>
        </form>
      </Paper>
    </Center>
  );
}
