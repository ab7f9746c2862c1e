import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { LostAnswer } from '../api/problem.ts';
import { t } from '../language/t.ts';
import { Dialog } from './dialog.tsx';
import { Fault } from './sending.tsx';

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
  const isLost = error instanceof LostAnswer;
  return (
    <Dialog onClose={onClose} title={title}>
      <Stack>
        <Text component="div">{children}</Text>
        {error && <Fault of={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {isLost ? t('Look at what is stored') : t('Cancel')}
          </Button>
          <Button color="red" loading={busy} onClick={onConfirm}>
            {isLost ? t('Ask again') : action}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
