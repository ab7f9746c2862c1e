/** Creates a key. The full key is in the answer alone, so the dialog stays until the admin says that it is kept. */

import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useWrite } from '../api/query.ts';
import { t } from '../language/t.ts';
import { SecretBox } from '../parts/secret-box.tsx';
import { KeyForm } from './key-form.tsx';

export function NewKey({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [created, setCreated] = useState<{ name: string; key: string }>();
  const create = useWrite('createApiKey', {
    changes: ['listApiKeys'],
    quiet: true,
    onDone: ({ api_key, key }) => setCreated({ name: api_key?.name ?? '', key }),
  });
  const close = () => {
    setCreated(undefined);
    create.reset();
    onClose();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={created ? t('{name} is ready', { name: created.name }) : t('Create a key')}
      size="lg"
      closeOnClickOutside={!created}
      closeOnEscape={!created}
      withCloseButton={!created}
    >
      {created ? (
        <Stack>
          <Alert color="yellow" title={t('Copy the key now')}>
            {t("It is shown only this once and cannot be shown again. Whoever has it can use the store's data.")}
          </Alert>
          <SecretBox text={created.key} label={t('the new API key')} />
          <Text size="sm" c="dimmed">
            {t('Programs send it in the header X-API-Key.')}
          </Text>
          <Group justify="flex-end">
            <Button onClick={close}>{t('I have stored it')}</Button>
          </Group>
        </Stack>
      ) : (
        <KeyForm
          busy={create.isPending}
          error={create.error}
          onCancel={close}
          onCreate={(api_key) => create.mutate({ body: { api_key } })}
        />
      )}
    </Modal>
  );
}
