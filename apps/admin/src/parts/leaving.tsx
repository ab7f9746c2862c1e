/** Asks before something is lost: by another page of the panel, or by the browser. */

import { useEffect, useRef, useState } from 'react';
import { useBlocker } from 'react-router';
import { lastAtStake, putAtStake } from '../api/at-stake.ts';
import { t } from '../language/t.ts';
import { Confirm } from './confirm.tsx';

interface LeavingProps {
  /** There is something to lose. */
  when: boolean;
  /** What is lost; absent: what was typed. */
  lost?: string;
  /** Something is sent: only a page that stays tells the answer. */
  isSent?: boolean;
}

export function Leaving({ when, lost, isSent = false }: LeavingProps) {
  // Only the last one that is mounted is asked, so it asks for all.
  const blocker = useBlocker(() => lastAtStake() !== undefined);
  useEffect(() => {
    if (when) return putAtStake(lost);
  }, [when, lost]);
  const asksBrowser = when || isSent;
  useEffect(() => {
    if (!asksBrowser) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [asksBrowser]);
  const isAsked = blocker.state === 'blocked';
  const answered = useRef<typeof blocker>(undefined);
  /** Once for each question: the router throws at the second time, and this may be drawn again before it has heard of the first. */
  const answer = (how: 'proceed' | 'reset') => {
    if (answered.current === blocker) return;
    answered.current = blocker;
    blocker[how]?.();
  };
  useEffect(() => {
    // It was answered or saved while that was asked: the page is left as was wanted.
    if (isAsked && !lastAtStake()) answer('proceed');
  });
  return <AskToLeave opened={isAsked} lost={lastAtStake()?.lost} onStay={() => answer('reset')} onLeave={() => answer('proceed')} />;
}

/** Of a dialog: `close` asks first while there is something to lose; `question` is what asks, and belongs into the dialog. */
export function useLeaving(when: boolean, onClose: () => void, { lost, isSent }: Pick<LeavingProps, 'lost' | 'isSent'> = {}) {
  const [asking, setAsking] = useState(false);
  const close = () => (when ? setAsking(true) : onClose());
  const question = (
    <>
      <Leaving when={when} lost={lost} isSent={isSent} />
      <AskToLeave opened={asking} lost={lost} onStay={() => setAsking(false)} onLeave={onClose} />
    </>
  );
  return { close, question };
}

interface AskToLeaveProps {
  opened: boolean;
  lost?: string;
  onStay: () => void;
  onLeave: () => void;
}

export function AskToLeave({ opened, lost = t('What you typed here is lost.'), onStay, onLeave }: AskToLeaveProps) {
  return (
    <Confirm
      opened={opened}
      title={t('Leave without saving?')}
      action={t('Leave')}
      stay={t('Stay here')}
      onClose={onStay}
      onConfirm={onLeave}
    >
      {lost}
    </Confirm>
  );
}
