/** Creates a key. The full key is in the answer alone, so the dialog stays until the admin says that it is kept. */

import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useRead, useWrite } from '../api/query.ts';
import { useOwn } from '../api/session.ts';
import { t } from '../language/t.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Leaving, useLeaving } from '../parts/leaving.tsx';
import { SecretBox } from '../parts/secret-box.tsx';
import { KeyForm } from './key-form.tsx';

export function NewKey({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<{ id: number; name: string; key: string }>();
  const [isTyped, setIsTyped] = useState(false);
  const create = useWrite('createApiKey', {
    changes: ['listApiKeys'],
    quiet: true,
    kept: useOwn('key'),
    isShownOnce: true,
    onDone: ({ api_key, key }) => setCreated({ id: api_key!.id, name: api_key!.name, key }),
  });
  const { close, question } = useLeaving(isTyped && !created && !create.isPending && !create.owed, onClose);
  const keys = useRead('listApiKeys', {});
  // Its answer was lost, and somebody revoked it before it was asked for again.
  const isRevoked = keys.data?.api_keys.some(({ id, revoked_at }) => id === created?.id && revoked_at !== null);
  if (isRevoked) {
    return (
      <Dialog onClose={onClose} title={created!.name}>
        <Alert color="red">{t('This key was revoked meanwhile. Create another one.')}</Alert>
      </Dialog>
    );
  }
  return (
    <Dialog
      onClose={close}
      title={created ? t('{name} is ready', { name: created.name }) : t('Create a key')}
      size="lg"
      busy={create.isPending || created !== undefined}
      withCloseButton={!created}
    >
      {created ? (
        <Stack>
          <Leaving when lost={t('The key is shown only now.')} />
          <Alert color="yellow" title={t('Copy the key now')}>
            {t("It is shown only this once and cannot be shown again. Whoever has it can use the store's data.")}
          </Alert>
          <SecretBox text={created.key} label={t('the new API key')} />
          <Text size="sm" c="dimmed">
            {t('Programs send it in the header X-API-Key.')}
          </Text>
          <Group justify="flex-end">
            <Button onClick={onClose}>{t('I have stored it')}</Button>
          </Group>
        </Stack>
      ) : (
        <div onInput={() => setIsTyped(true)}>
          <KeyForm
            sent={create}
            owed={create.owed?.body.api_key}
            onCancel={close}
            onCreate={(api_key) => create.mutate({ body: { api_key } })}
          />
          {question}
        </div>
      )}
    </Dialog>
  );
}
