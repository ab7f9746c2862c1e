/** Reading and writing the API from components. */

import { notifications } from '@mantine/notifications';
import {
  keepPreviousData,
  QueryClient,
  replaceEqualDeep,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { t } from '../language/t.ts';
import { type Answer, call, type Input, type OperationName } from './client.ts';
import { newIdempotencyKey } from './idempotency-key.ts';
import { Intent } from './intent.ts';
import { keptTexts, useKept } from './kept.ts';
import { Once } from './once.ts';
import { ApiProblem, isChangedMeanwhile, isStale, LostAnswer, lostText, mayHaveActed } from './problem.ts';
import { underWay, useUnderWay } from './under-way.ts';
import { useIsShown } from './use-is-shown.ts';
import { versions } from './versions.ts';

const retriesMax = 2;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      structuralSharing: (before, answer) => versions.carry(answer, replaceEqualDeep(before, answer)),
      // A browser that thinks itself offline asks all the same: the answer, or none, is what the page says.
      networkMode: 'always',
      // A refusal stays a refusal; only what did not arrive is tried again.
      retry: (count, error) => count < retriesMax && mayHaveActed(error),
    },
    mutations: { networkMode: 'always' },
  },
});

interface ReadOptions {
  enabled?: boolean;
  refetchInterval?: number | false | (() => number | false);
  /** While the next page or search loads, the last answer stays on screen. */
  keepPrevious?: boolean;
  staleTime?: number;
  /** 0: what was read is forgotten with its page, so that a form begins from what is stored. */
  gcTime?: number;
}

export function useRead<Name extends OperationName>(
  name: Name,
  input: Input<Name>,
  options: ReadOptions = {},
): UseQueryResult<Answer<Name>> {
  const { keepPrevious, ...rest } = options;
  return useQuery<Answer<Name>>({
    queryKey: [name, input],
    queryFn: ({ signal }) => call(name, input, { signal }),
    ...(keepPrevious && { placeholderData: keepPreviousData as never }),
    ...rest,
  });
}

/** Begins a read before the component that shows it is there; a failure is that component's to show. */
export function readAhead<Name extends OperationName>(name: Name, input: Input<Name>): void {
  void queryClient.prefetchQuery({ queryKey: [name, input], queryFn: ({ signal }) => call(name, input, { signal }) });
}

interface WriteOptions<Name extends OperationName> {
  /** Reads whose answers this changes. */
  changes?: readonly OperationName[];
  /** Said when it has worked. */
  done?: string | ((answer: Answer<Name>) => string);
  /** `isShown`: the component that sent it is there still. */
  onDone?: (answer: Answer<Name>, input: Input<Name>, isShown: boolean) => void;
  /** The caller shows errors itself. */
  quiet?: boolean;
  /** Under this name what is sent outlives the page until it is answered; `owed` is it, and asks again as it was. */
  kept?: string;
  /** What the answer holds is shown nowhere else: it is owed until a page has shown it. */
  isShownOnce?: boolean;
}

const nothing: Record<string, string> = {};
const sentBefore = () => new LostAnswer(new ApiProblem(0, t('It was sent before the page was left.')));

/** Of an answer that its page cannot show. */
export function sayFailed(error: Error): void {
  const title = error instanceof LostAnswer ? lostText : t('That did not work');
  notifications.show({ title, message: error.message, color: 'red', autoClose: 8_000 });
}

/** The intent is the component's: it ends with it, or with `reset`, and the next is a new one. */
export function useWrite<Name extends OperationName>(
  name: Name,
  { changes = [], done, onDone, quiet, kept, isShownOnce }: WriteOptions<Name> = {},
) {
  const client = useQueryClient();
  const isKept = kept !== undefined;
  const isShown = useIsShown();
  const [intent] = useState(() => {
    const owed = isKept ? keptTexts(`owed-${kept}`) : undefined;
    if (owed && isShownOnce) {
      const { delete: end } = owed;
      owed.delete = (content) => isShown.current && end(content);
    }
    return new Intent(call, newIdempotencyKey, owed);
  });
  const [contents] = useKept(`owed-${kept}`, nothing);
  const [content] = Object.keys(contents);
  const owed = useMemo(() => (content === undefined ? undefined : (JSON.parse(content) as [Name, Input<Name>])[1]), [content]);
  /** Resolves with whether what is stored was read. */
  const refresh = () =>
    Promise.all(changes.map((changed) => client.invalidateQueries({ queryKey: [changed] }, { throwOnError: true }))).then(
      () => true,
      () => false,
    );
  /** What was sent and has no answer, for a form that asks again by a function of before. */
  const lost = useRef<Input<Name> & { version?: string }>(undefined);
  const letGo = () => {
    if (intent.isOwed) void refresh();
    intent.forget();
    lost.current = undefined;
  };
  const latest = useRef(letGo);
  latest.current = letGo;
  useEffect(
    () => () => {
      if (!isKept) latest.current();
    },
    [isKept],
  );
  const { reset, ...sending } = useMutation<Answer<Name>, Error, Input<Name> & { version?: string }>({
    mutationFn: (input) => (isKept ? underWay(`owed-${kept}`, intent.send(name, input)) : intent.send(name, input)),
    onSuccess: async (answer, input) => {
      lost.current = undefined;
      const said = typeof done === 'function' ? done(answer) : done;
      if (said) notifications.show({ message: said, color: 'green' });
      onDone?.(answer, input, isShown.current);
      await refresh();
    },
    onError: (error, input) => {
      const isLost = error instanceof LostAnswer;
      lost.current = isLost ? input : undefined;
      // A form that sends again what somebody else's change refused says itself how that ended.
      if (!quiet || (!isShown.current && !isChangedMeanwhile(error))) sayFailed(error);
      if (isStale(error)) return void refresh();
      if (!isLost) return;
      void refresh().then((isRead) => {
        // A page that shows what is stored asks for something new. A form keeps what it sent until it is closed, a draft until its answer.
        if (isRead && !isKept && !(quiet && isShown.current)) intent.forget();
      });
    },
  });
  const [once] = useState(() => new Once<Answer<Name>>());
  const { mutateAsync: send } = sending;
  const mutateAsync: typeof send = useCallback((...sent) => once.send(JSON.stringify(sent[0] ?? null), () => send(...sent)), [once, send]);
  const mutate: typeof sending.mutate = useCallback(
    (...sent) => {
      // Its error is the mutation's, which shows it while its page is there.
      mutateAsync(...sent).catch((error) => {
        if (quiet && !isShown.current && isChangedMeanwhile(error)) sayFailed(error);
      });
    },
    [mutateAsync, quiet, isShown],
  );
  const forget = () => {
    letGo();
    reset();
  };
  // By this page, or by the one before it, which was left.
  const isAwaited = useUnderWay(`owed-${kept}`);
  const isPending = sending.isPending || (isKept && isAwaited);
  const error = sending.error ?? (owed && !isPending ? sentBefore() : null);
  return { ...sending, isPending, mutate, mutateAsync, error, owed, lost, reset: forget };
}
