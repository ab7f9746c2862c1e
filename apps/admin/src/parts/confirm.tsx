import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../language/t.ts';
import { Dialog } from './dialog.tsx';
import { FormButtons } from './form-buttons.tsx';
import { type Sent, SentFields, useSending } from './sending.tsx';

interface ConfirmProps {
  opened: boolean;
  title: string;
  /** What happens, and whether it can be undone. */
  children: ReactNode;
  action: string;
  /** What the other button says. */
  stay?: string;
  /** It ends when this is closed. Absent: nothing is waited for. */
  sent?: Sent & { reset: () => void };
  onConfirm: () => void;
  onClose: () => void;
}

const nothing = { isPending: false, error: null, reset: () => undefined };

/** Asks before what cannot be undone. */
export function Confirm({ opened, title, children, action, stay = t('Go back'), sent = nothing, onConfirm, onClose }: ConfirmProps) {
  const { submit, isLost } = useSending(sent, onConfirm);
  if (!opened) return null;
  const { isPending: busy } = sent;
  const close = () => {
    sent.reset();
    onClose();
  };
  return (
    <Dialog onClose={close} title={title} busy={busy}>
      <Stack>
        <SentFields sent={sent}>
          <Text component="div">{children}</Text>
        </SentFields>
        {/* Another word than Cancel, which some of the actions are called too. */}
        <FormButtons cancel={stay} onCancel={close} onSend={submit} busy={busy} isLost={isLost} action={action} color="red" />
      </Stack>
    </Dialog>
  );
}
