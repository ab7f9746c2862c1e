/** A form in a dialog: what went wrong above its fields, its buttons below, and a question before something typed is lost. */
import { Alert, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ApiProblem } from '../api/problem.ts';
import { Dialog } from './dialog.tsx';
import { FormButtons } from './form-buttons.tsx';
import { AskToLeave, Leaving } from './leaving.tsx';

interface FormDialogProps {
  title: string;
  onClose: () => void;
  onSubmit: () => void;
  busy: boolean;
  error: Error | null;
  disabled?: boolean;
  /** What the button that sends the form says; Save when absent. */
  action?: string;
  /** Whether something is to lose besides what was typed into its fields. */
  isDirty?: boolean;
  children: ReactNode;
}

const changedMeanwhile = 412;

export function FormDialog({ title, onClose, onSubmit, busy, error, disabled, action, isDirty = false, children }: FormDialogProps) {
  const [isTyped, setIsTyped] = useState(false);
  const [asking, setAsking] = useState(false);
  const losesSomething = (isTyped || isDirty) && !busy;
  const close = () => (losesSomething ? setAsking(true) : onClose());
  const isSaid = error instanceof ApiProblem && error.status === changedMeanwhile;
  return (
    <Dialog onClose={close} title={title}>
      <form
        onInput={() => setIsTyped(true)}
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        <Stack>
          {error && !isSaid && <Alert color="red">{error.message}</Alert>}
          {children}
          <FormButtons onCancel={close} busy={busy} disabled={disabled} action={action} />
        </Stack>
      </form>
      <Leaving when={losesSomething} />
      <AskToLeave opened={asking} onStay={() => setAsking(false)} onLeave={onClose} />
    </Dialog>
  );
}
