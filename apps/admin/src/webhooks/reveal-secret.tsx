/** The signing secret, shown against the person's own password; or a new one, after a warning. */

import { Button, Group, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useWrite } from '../api/query.ts';
import { t } from '../language/t.ts';
import { Confirm } from '../parts/confirm.tsx';
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
  const rotate = useWrite('rotateSecret', {
    quiet: true,
    changes: ['getMonitor'],
    done: t('The secret is rotated'),
    onDone: (answer) => setSecret(answer.secret),
  });
  const title = kind === 'reveal' ? t('Signing secret') : t('Rotate the signing secret');
  if (kind === 'rotate' && !secret) {
    return (
      <Confirm
        opened
        title={title}
        action={t('Rotate')}
        sent={rotate}
        onConfirm={() => rotate.mutate({ params: { id } })}
        onClose={onClose}
      >
        {t(
          'The receiver needs the new secret to verify messages. For a time the header webhook-signature is signed with both, so it can change without a gap.',
        )}
      </Confirm>
    );
  }
  return (
    <Dialog onClose={onClose} title={title}>
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
      ) : (
        <Reveal id={id} onSecret={setSecret} />
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
