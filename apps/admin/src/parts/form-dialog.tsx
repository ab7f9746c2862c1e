/** A form in a dialog: what went wrong above its fields, its buttons below, and a question before something typed is lost. */
import { Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { lostText } from '../api/problem.ts';
import { Dialog } from './dialog.tsx';
import { FormButtons } from './form-buttons.tsx';
import { useFormScans } from './form-scans.ts';
import { useLeaving } from './leaving.tsx';
import { ChangedMeanwhile, type ChangedMeanwhileProps } from './record-form.tsx';
import { type Sent, SentFields, useSending } from './sending.tsx';
import { useLooksUp } from './use-codes.ts';

interface FormDialogProps {
  title: string;
  onClose: () => void;
  onSubmit: () => void;
  sent: Sent;
  /** What is typed of a record: it says what somebody else changed, and is busy between two tries of it. */
  form?: { isDirty: boolean; isSaving: boolean; conflict: ChangedMeanwhileProps['of'] };
  disabled?: boolean;
  /** What the button that sends the form says; Save when absent. */
  action?: string;
  /** Whether something is to lose besides what was typed into its fields. */
  isDirty?: boolean;
  /** What it makes is shown nowhere else: only its answer tells. */
  isShownOnce?: boolean;
  children: ReactNode;
}

export function FormDialog({ title, onClose, onSubmit, sent, form, isDirty = false, isShownOnce, children, ...rest }: FormDialogProps) {
  const [isTyped, setIsTyped] = useState(false);
  const busy = sent.isPending || form?.isSaving === true;
  const sending = { isPending: busy, error: sent.error };
  const { submit, isLost } = useSending(sending, onSubmit);
  const isOnlyHere = isLost && isShownOnce === true;
  // What is sent would lack what was scanned last.
  const looksUp = useLooksUp();
  const onKey = useFormScans();
  // What is read before it is sent is not sent yet.
  const isUnsent = (isTyped || isDirty || form?.isDirty === true) && !sent.isPending && !isLost;
  const { close, question } = useLeaving(isUnsent || isOnlyHere, onClose, {
    lost: isOnlyHere ? lostText : undefined,
    isSent: sent.isPending,
  });
  return (
    <Dialog onClose={close} title={title} busy={busy}>
      <form onInput={() => setIsTyped(true)} onSubmit={submit} onKeyDownCapture={onKey}>
        <Stack>
          <SentFields sent={sending}>
            <ChangedMeanwhile of={form?.conflict} />
            {children}
          </SentFields>
          <FormButtons onCancel={isOnlyHere ? undefined : close} busy={busy} waits={looksUp && !isLost} isLost={isLost} {...rest} />
        </Stack>
      </form>
      {question}
    </Dialog>
  );
}
