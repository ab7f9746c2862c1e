import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../language/t.ts';
import { Dialog } from './dialog.tsx';
import { FormButtons } from './form-buttons.tsx';
import { SentFields, useSending } from './sending.tsx';

interface ConfirmProps {
  opened: boolean;
  title: string;
  /** What happens, and whether it can be undone. */
  children: ReactNode;
  action: string;
  /** What the other button says. */
  stay?: string;
  busy: boolean;
  error?: Error | null;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before what cannot be undone. */
export function Confirm({ opened, title, children, action, stay = t('Go back'), busy, error = null, onConfirm, onClose }: ConfirmProps) {
  const sent = { busy, error };
  const { submit, isLost } = useSending(sent, onConfirm);
  if (!opened) return null;
  return (
    <Dialog onClose={onClose} title={title} busy={busy}>
      <Stack>
        <SentFields {...sent}>
          <Text component="div">{children}</Text>
        </SentFields>
        {/* Another word than Cancel, which some of the actions are called too. */}
        <FormButtons cancel={stay} onCancel={onClose} onSend={submit} busy={busy} isLost={isLost} action={action} color="red" />
      </Stack>
    </Dialog>
  );
}
