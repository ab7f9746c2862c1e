import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { newIdempotencyKey } from '../api/idempotency-key.ts';
import type { useTill } from './use-till.ts';

/** Takes up the parked sale from whose page one comes, once: a reload takes nothing up again. */
export function useContinued(tell: ReturnType<typeof useTill>['tell']): void {
  const from = useLocation().state as { resume?: number } | null;
  const navigate = useNavigate();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once.
  useEffect(() => {
    if (!from?.resume) return;
    void navigate('/register', { replace: true });
    tell({ kind: 'resume', id: newIdempotencyKey(), saleId: from.resume });
  }, []);
}
