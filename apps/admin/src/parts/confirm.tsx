import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../language/t.ts';
import { Dialog } from './dialog.tsx';

interface ConfirmProps {
  opened: boolean;
  title: string;
  /** What happens, and whether it can be undone. */
  children: ReactNode;
  action: string;
  busy: boolean;
  error?: Error | null;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before what cannot be undone. */
export function Confirm({ opened, title, children, action, busy, error, onConfirm, onClose }: ConfirmProps) {
  if (!opened) return null;
  return (
    <Dialog onClose={onClose} title={title}>
      <Stack>
        <Text component="div">{children}</Text>
        {error && <Alert color="red">{error.message}</Alert>}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button color="red" loading={busy} onClick={onConfirm}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
