import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

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
  return (
    <Modal opened={opened} onClose={onClose} title={title}>
      <Stack>
        <Text component="div">{children}</Text>
        {error && <Alert color="red">{error.message}</Alert>}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button color="red" loading={busy} onClick={onConfirm}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
