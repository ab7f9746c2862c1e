/** The signing secret, shown against the person's own password; or a new one, after a warning. */

import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useWrite } from '../api/query.ts';
import { t } from '../language/t.ts';
import { Dialog } from '../parts/dialog.tsx';
import { PasswordField } from '../parts/password-field.tsx';
import { SecretBox } from '../parts/secret-box.tsx';

interface RevealSecretProps {
  id: number;
  url: string;
  kind: 'reveal' | 'rotate';
  onClose: () => void;
}

export function RevealSecret({ id, url, kind, onClose }: RevealSecretProps) {
  const [secret, setSecret] = useState<string>();
  return (
    <Dialog onClose={onClose} title={kind === 'reveal' ? t('Signing secret') : t('Rotate the signing secret')}>
      {secret ? (
        <Stack>
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {url}
          </Text>
          <SecretBox text={secret} label={t('the signing secret')} />
          <Group justify="flex-end">
            <Button onClick={onClose}>{t('Done')}</Button>
          </Group>
        </Stack>
      ) : kind === 'reveal' ? (
        <Reveal id={id} onSecret={setSecret} />
      ) : (
        <Rotate id={id} onSecret={setSecret} onClose={onClose} />
      )}
    </Dialog>
  );
}

function Reveal({ id, onSecret }: { id: number; onSecret: (secret: string) => void }) {
  const [password, setPassword] = useState('');
  const reveal = useWrite('revealSecret', { quiet: true, onDone: ({ secret }) => onSecret(secret) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    reveal.mutate({ params: { id }, body: { password } });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">{t('Enter your own password again. That the secret was shown is written to the audit trail.')}</Text>
        <PasswordField label={t('Your password')} data-autofocus value={password} onText={setPassword} error={reveal.error?.message} />
        <Group justify="flex-end">
          <Button type="submit" loading={reveal.isPending}>
            {t('Show the secret')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Rotate({ id, onSecret, onClose }: { id: number; onSecret: (secret: string) => void; onClose: () => void }) {
  const rotate = useWrite('rotateSecret', { quiet: true, changes: ['getMonitor'], onDone: ({ secret }) => onSecret(secret) });
  return (
    <Stack>
      <Text size="sm">
        {t(
          'The receiver needs the new secret to verify messages. For a time the header webhook-signature is signed with both, so it can change without a gap.',
        )}
      </Text>
      {rotate.error && <Alert color="red">{rotate.error.message}</Alert>}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('Cancel')}
        </Button>
        <Button color="red" loading={rotate.isPending} onClick={() => rotate.mutate({ params: { id } })}>
          {t('Rotate')}
        </Button>
      </Group>
    </Stack>
  );
}
