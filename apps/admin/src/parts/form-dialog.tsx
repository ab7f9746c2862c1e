/** A form in a dialog: what went wrong above its fields, its buttons below, and a question before something typed is lost. */
import { Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Dialog } from './dialog.tsx';
import { FormButtons } from './form-buttons.tsx';
import { useFormScans } from './form-scans.ts';
import { useLeaving } from './leaving.tsx';
import { type Sent, SentFields, useSending } from './sending.tsx';
import { useLooksUp } from './use-codes.ts';

interface FormDialogProps {
  title: string;
  onClose: () => void;
  onSubmit: () => void;
  sent: Sent;
  disabled?: boolean;
  /** What the button that sends the form says; Save when absent. */
  action?: string;
  /** Whether something is to lose besides what was typed into its fields. */
  isDirty?: boolean;
  /** What it makes is shown nowhere else: only its answer tells. */
  isShownOnce?: boolean;
  children: ReactNode;
}

export function FormDialog({ title, onClose, onSubmit, sent, disabled, action, isDirty = false, isShownOnce, children }: FormDialogProps) {
  const [isTyped, setIsTyped] = useState(false);
  const { submit, isLost, isLocked } = useSending(sent, onSubmit);
  // What is sent would lack what was scanned last.
  const looksUp = useLooksUp();
  const onKey = useFormScans();
  const { close, question } = useLeaving((isTyped || isDirty) && !isLocked, onClose);
  return (
    <Dialog onClose={close} title={title} busy={sent.isPending}>
      <form onInput={() => setIsTyped(true)} onSubmit={submit} onKeyDownCapture={onKey}>
        <Stack>
          <SentFields sent={sent}>{children}</SentFields>
          <FormButtons
            onCancel={isLost && isShownOnce ? undefined : close}
            busy={sent.isPending}
            waits={looksUp && !isLost}
            isLost={isLost}
            disabled={disabled}
            action={action}
          />
        </Stack>
      </form>
      {question}
    </Dialog>
  );
}
