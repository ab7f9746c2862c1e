/** Forms that send something: what went wrong, and their fields, which are locked while it is sent and while its answer is owed. */
import { Alert, Button, Group, type GroupProps, Stack } from '@mantine/core';
import { type ReactNode, type SyntheticEvent, useEffect, useRef } from 'react';
import { isChangedMeanwhile, LostAnswer, lostText } from '../api/problem.ts';
import { t } from '../language/t.ts';

/** What a form sends: a write, or several of them as one. */
export interface Sent {
  isPending: boolean;
  error: Error | null;
}

/** While an answer is owed, `submit` asks again for what was sent, whatever the page shows of the record since then. */
export function useSending({ isPending, error }: Sent, onSubmit: () => void) {
  const sent = useRef(onSubmit);
  const focused = useRef<Element | null>(null);
  const isLost = error instanceof LostAnswer;
  const isLocked = isPending || isLost;
  const submit = (event?: SyntheticEvent) => {
    event?.preventDefault();
    focused.current = document.activeElement;
    if (!isLost) sent.current = onSubmit;
    sent.current();
  };
  useEffect(() => {
    // A locked field has lost the focus.
    if (!isLocked && document.activeElement === document.body && focused.current instanceof HTMLElement) focused.current.focus();
  }, [isLocked]);
  return { submit, isLost, isLocked };
}

/** Its children are the fields. */
export function SentFields({ sent: { isPending, error }, children }: { sent: Sent; children: ReactNode }) {
  // The form itself says what somebody else changed.
  const isSaid = isChangedMeanwhile(error);
  return (
    <>
      {error && !isSaid && <Fault of={error} />}
      <fieldset disabled={isPending || error instanceof LostAnswer}>
        <Stack>{children}</Stack>
      </fieldset>
    </>
  );
}

export function Fault({ of: error }: { of: Error }) {
  const isLost = error instanceof LostAnswer;
  return (
    <Alert color={isLost ? 'yellow' : 'red'} title={isLost ? lostText : undefined}>
      {error.message}
    </Alert>
  );
}

interface AskAgainProps extends GroupProps {
  onLook: () => void;
  /** Lets the intent go, where looking does not. */
  onMissing?: () => void;
  onAsk: () => void;
}

/** The buttons of a page's form while an answer is owed. */
export function AskAgain({ onLook, onAsk, onMissing, ...rest }: AskAgainProps) {
  return (
    <Group justify="flex-end" {...rest}>
      <Button variant="default" onClick={onLook}>
        {t('Look at what is stored')}
      </Button>
      {onMissing && (
        <Button variant="default" onClick={onMissing}>
          {t('It is not there')}
        </Button>
      )}
      <Button onClick={onAsk}>{t('Ask again')}</Button>
    </Group>
  );
}
