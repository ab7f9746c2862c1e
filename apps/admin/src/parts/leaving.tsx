/** Asks before something that was typed is lost: by another page of the panel, or by the browser. */

import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { t } from '../language/t.ts';
import { Confirm } from './confirm.tsx';

/** `when`: there is something to lose. */
export function Leaving({ when }: { when: boolean }) {
  const blocker = useBlocker(when);
  useEffect(() => {
    if (!when) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [when]);
  return <AskToLeave opened={blocker.state === 'blocked'} onStay={() => blocker.reset?.()} onLeave={() => blocker.proceed?.()} />;
}

interface AskToLeaveProps {
  opened: boolean;
  onStay: () => void;
  onLeave: () => void;
}

export function AskToLeave({ opened, onStay, onLeave }: AskToLeaveProps) {
  return (
    <Confirm opened={opened} title={t('Leave without saving?')} action={t('Leave')} busy={false} onClose={onStay} onConfirm={onLeave}>
      {t('What you typed here is lost.')}
    </Confirm>
  );
}
