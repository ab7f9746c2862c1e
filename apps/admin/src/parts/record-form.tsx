/** What a form holds: what the record was when it was opened, what was typed since, and what somebody else changed meanwhile. */

import { Alert, Button, Group, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { type ApiProblem, isChangedMeanwhile, LostAnswer } from '../api/problem.ts';
import { sayFailed } from '../api/query.ts';
import { session } from '../api/session.ts';
import { useIsShown } from '../api/use-is-shown.ts';
import { versions } from '../api/versions.ts';
import { t } from '../language/t.ts';
import { Time } from './time.tsx';

/** A record that exists: where it stands, what the form was opened with, and its fields as they are now. */
interface Existing<Fields> {
  /** Empty: it has none, and so no version. */
  path: string;
  shown: object;
  read: () => Promise<Fields>;
}

interface Conflict<Fields> {
  by: string | undefined;
  at: string | undefined;
  latest: Fields;
  version: string | undefined;
}

/** Stock moves at every sale, and is another version each time. */
const triesMax = 5;

type Send<Fields> = (changes: Partial<Fields>, version: string | undefined) => Promise<unknown>;

export function useRecordForm<Fields extends object>(initial: Fields, existing?: Existing<Fields>) {
  const [opened, setOpened] = useState(initial);
  const [now, setNow] = useState(initial);
  const [version, setVersion] = useState(() => existing && versions.ofShown(existing.shown));
  const [conflict, setConflict] = useState<Conflict<Fields>>();
  /** From the first try to the end of the last; between two of them the record is read. */
  const [isSaving, setIsSaving] = useState(false);
  const changes = changesOf(opened, now);
  const isShown = useIsShown();
  /** Was sent and has no answer: what is stored may be of this form. */
  const isOwed = useRef(false);

  /** `kept` was typed here and stays; what else the form shows of the record is what it is now. */
  const startFrom = (latest: Fields, kept: Partial<Fields> = {}, seen = existing && versions.of(existing.path)) => {
    setVersion(seen);
    setOpened(latest);
    setNow({ ...latest, ...kept });
    setConflict(undefined);
  };
  /** Only what was changed here is sent, and only if nobody else changed what the form shows. */
  const save = (send: Send<Fields>) => {
    setIsSaving(true);
    return trySend(send).finally(() => setIsSaving(false));
  };
  const trySend = async (send: Send<Fields>) => {
    const by = session.get()?.user.id;
    let seen = version;
    /** Reads whether the record is as the form was opened; if not, that is asked, or said. */
    const isAsOpened = async ({ path, read }: Existing<Fields>, refused?: ApiProblem): Promise<boolean> => {
      const wasShown = isShown.current;
      const latest = await read().catch((unread: Error) => unread);
      // It was left meanwhile, which asks first: nothing is to be saved.
      if (wasShown && !isShown.current) return false;
      if (latest instanceof Error) sayFailed(latest);
      // Whoever sent it has signed out since.
      else if (session.get()?.user.id !== by) sayFailed(new Error(t('Nothing of yours is saved yet.')));
      else {
        seen = versions.of(path);
        if (Object.keys(changesOf(opened, latest)).length === 0) return true;
        if (isShown.current) setConflict({ by: refused?.changedBy, at: refused?.changedAt, latest, version: seen });
        else sayFailed(new Error(t('{by} changed this meanwhile', { by: refused?.changedBy ?? t('Somebody') })));
      }
      return false;
    };
    // Of what has no version the store takes every change.
    if (existing && seen === undefined && !isOwed.current && !(await isAsOpened(existing))) return undefined;
    for (let tries = 1; ; tries++) {
      try {
        const answer = await send(changes, seen);
        isOwed.current = false;
        return answer;
      } catch (error) {
        isOwed.current = error instanceof LostAnswer;
        // The sender shows every error but this one.
        if (!existing || !isChangedMeanwhile(error)) return undefined;
        if (tries === triesMax) return sayFailed(error);
        if (!(await isAsOpened(existing, error))) return undefined;
      }
    }
  };
  return {
    now,
    changes,
    isDirty: Object.keys(changes).length > 0,
    isSaving,
    set: (some: Partial<Fields>) => setNow((before) => ({ ...before, ...some })),
    startFrom,
    /** Some of it is stored, and the record at another version. */
    stored: (some: Partial<Fields>, at: string | undefined) => {
      setOpened((before) => ({ ...before, ...some }));
      setVersion(at);
    },
    /** Back to what it was when it was opened. */
    undo: () => setNow(opened),
    save,
    conflict: conflict && {
      ...conflict,
      onTheirs: () => startFrom(conflict.latest, {}, conflict.version),
      onMine: () => startFrom(conflict.latest, changes, conflict.version),
    },
  };
}

function changesOf<Fields extends object>(opened: Fields, now: Fields): Partial<Fields> {
  const before = opened as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(now).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
  ) as Partial<Fields>;
}

export interface ChangedMeanwhileProps {
  of: { by: string | undefined; at: string | undefined; onTheirs: () => void; onMine: () => void } | undefined;
}

export function ChangedMeanwhile({ of: conflict }: ChangedMeanwhileProps) {
  if (!conflict) return null;
  return (
    <Alert color="yellow" role="alert" title={t('{by} changed this meanwhile', { by: conflict.by ?? t('Somebody') })}>
      <Text size="sm" component="div">
        {conflict.at && (
          <>
            {t('At|a time')} <Time at={conflict.at} />.{' '}
          </>
        )}
        {t('Nothing of yours is saved yet.')}
      </Text>
      <Group mt="xs" gap="xs">
        <Button variant="default" onClick={conflict.onTheirs}>
          {t('Show theirs')}
        </Button>
        <Button variant="default" onClick={conflict.onMine}>
          {t('Keep mine')}
        </Button>
      </Group>
    </Alert>
  );
}
