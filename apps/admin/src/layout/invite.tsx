/** Where the link of an invite leads: its holder chooses a password, once. The token is behind the #, which no server sees. */

import { Anchor, Button, Center, Paper, Stack, Text, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { isGone, LostAnswer } from '../api/problem.ts';
import { useWrite } from '../api/query.ts';
import { t } from '../language/t.ts';
import { NewPasswordField } from '../parts/password-field.tsx';
import { SentFields, useSending } from '../parts/sending.tsx';

export default function Invite() {
  const [password, setPassword] = useState('');
  const [wasLost, setWasLost] = useState(false);
  const accept = useWrite('acceptStaffInvite', { quiet: true });
  useEffect(() => {
    document.title = t('Choose a password · Store admin');
  }, []);
  const isVoid = isGone(accept.error);
  const error = isVoid ? new Error(t('This link was used already, or is no longer valid. Ask an admin for a new one.')) : accept.error;
  const sent = { isPending: accept.isPending, error };
  const { submit, isLost } = useSending(sent, () =>
    accept.mutate(
      { body: { token: window.location.hash.slice(1), password } },
      { onError: (failed) => setWasLost((before) => before || failed instanceof LostAnswer) },
    ),
  );
  return (
    <Center mih="100vh" p="md" component="main">
      <Paper p="xl" w="100%" maw={400} shadow="sm">
        <form onSubmit={submit}>
          <Stack>
            <Title order={1}>{t('Choose a password')}</Title>
            {accept.data || (isVoid && wasLost) ? (
              <>
                <Text>
                  {accept.data
                    ? t('Your password is set. Sign in as {email}.', { email: accept.data.staff_user?.email })
                    : t('Your password may have been set. Try to sign in with it.')}
                </Text>
                <Anchor href="/admin">{t('To the sign-in')}</Anchor>
              </>
            ) : (
              <>
                <SentFields sent={sent}>
                  <NewPasswordField value={password} onText={setPassword} />
                </SentFields>
                <Button type="submit" loading={accept.isPending} fullWidth>
                  {isLost ? t('Ask again') : t('Set the password')}
                </Button>
              </>
            )}
          </Stack>
        </form>
      </Paper>
    </Center>
  );
}
