/** Reading and writing the API from components. */

import { notifications } from '@mantine/notifications';
import { keepPreviousData, QueryClient, type UseQueryResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { t } from '../language/t.ts';
import { type Answer, call, type Input, newIdempotencyKey, type OperationName } from './client.ts';
import { ApiProblem, isUnanswered } from './problem.ts';
import { session } from './session.ts';

const retriesMax = 2;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // A browser that thinks itself offline asks all the same: the answer, or none, is what the page says.
      networkMode: 'always',
      // A refusal stays a refusal; only what did not arrive is tried again.
      retry: (count, error) => count < retriesMax && error instanceof ApiProblem && (error.status === 0 || error.status >= 500),
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

/** Idempotency-Keys of what was sent and has no answer: the same content for the same record goes out under the same key. */
const unanswered = new Map<string, string>();

async function sendOnce<Name extends OperationName>(name: Name, input: Input<Name> & { version?: string }): Promise<Answer<Name>> {
  const intent = JSON.stringify([session.get()?.user.id, name, input]);
  const idempotencyKey = unanswered.get(intent) ?? newIdempotencyKey();
  unanswered.set(intent, idempotencyKey);
  try {
    const answer = await call(name, input, { idempotencyKey, version: input.version });
    unanswered.delete(intent);
    return answer;
  } catch (error) {
    if (!isUnanswered(error)) unanswered.delete(intent);
    throw error;
  }
}

interface WriteOptions<Name extends OperationName> {
  /** Reads whose answers this changes. */
  changes?: OperationName[];
  /** Said when it has worked. */
  done?: string | ((answer: Answer<Name>) => string);
  onDone?: (answer: Answer<Name>) => void;
  /** The caller shows errors itself. */
  quiet?: boolean;
}

export function useWrite<Name extends OperationName>(name: Name, { changes = [], done, onDone, quiet }: WriteOptions<Name> = {}) {
  const client = useQueryClient();
  return useMutation<Answer<Name>, Error, Input<Name> & { version?: string }>({
    mutationFn: (input) => sendOnce(name, input),
    onSuccess: async (answer) => {
      const said = typeof done === 'function' ? done(answer) : done;
      if (said) notifications.show({ message: said, color: 'green' });
      onDone?.(answer);
      await Promise.all(changes.map((changed) => client.invalidateQueries({ queryKey: [changed] })));
    },
    onError: (error) => {
      if (!quiet) notifications.show({ title: t('That did not work'), message: error.message, color: 'red', autoClose: 8_000 });
    },
  });
}
