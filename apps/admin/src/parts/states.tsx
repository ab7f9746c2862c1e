/** Placeholders for content: loading, empty, failed. */

import { Alert, Button, Center, Group, Skeleton, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiProblem, isGone } from '../api/problem.ts';
import { t } from '../language/t.ts';

export function Loading({ rows = 5, label = t('Loading') }: { rows?: number; label?: string }) {
  return (
    <Stack gap="sm" role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the bars are all the same.
        <Skeleton key={row} height={28} />
      ))}
    </Stack>
  );
}

export function Empty({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <Center py="xl" px="md">
      <Stack align="center" gap="xs" maw={440}>
        <Text fw={600}>{title}</Text>
        {children && (
          <Text c="dimmed" ta="center" size="sm">
            {children}
          </Text>
        )}
        {action}
      </Stack>
    </Center>
  );
}

/** In the place of a part whose file could not be loaded. */
export const notLoaded = (action?: ReactNode) => ({ default: () => <Empty title={t('This could not be loaded')} action={action} /> });

export function Failed({ error, retry }: { error: Error; retry?: () => void }) {
  const { status, requestId } = error instanceof ApiProblem ? error : { status: 0, requestId: undefined };
  return (
    <Alert color={status === 403 || status === 404 ? 'gray' : 'red'} title={titleOf(status)} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{error.message}</Text>
        {requestId && (
          <Text size="xs" className="code">
            {t('Request {id}', { id: requestId })}
          </Text>
        )}
        {retry && status !== 403 && status !== 404 && (
          <Button size="xs" variant="default" onClick={retry}>
            {t('Try again')}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

function titleOf(status: number): string {
  if (status === 403) return t('Not for your role or plan');
  if (status === 404) return t('Not found');
  return t('This could not be loaded');
}

/** Shows a read in whichever state it is; what is gone is not shown as it was. */
export function Shown<Data>({ of, rows, children }: { of: UseQueryResult<Data>; rows?: number; children: (data: Data) => ReactNode }) {
  const failed = of.isError && <Failed error={of.error} retry={() => void of.refetch()} />;
  if (of.data === undefined || isGone(of.error)) return failed || <Loading rows={rows} />;
  return (
    <>
      {failed}
      {children(of.data)}
    </>
  );
}

/** Labels with their values, one line each; `false` is no line. */
export function Facts({ of }: { of: ([string, ReactNode] | false)[] }) {
  const shown = of.filter((fact) => fact !== false);
  return (
    <Stack gap={6} component="dl" m={0} maw={480}>
      {shown.map(([label, value]) => (
        <Group key={label} gap="sm" justify="space-between" wrap="nowrap" align="flex-start">
          <Text component="dt" size="sm" c="dimmed" style={{ flexShrink: 0 }}>
            {label}
          </Text>
          <Text component="dd" m={0} size="sm" ta="right" style={{ overflowWrap: 'anywhere' }}>
            {value ?? '–'}
          </Text>
        </Group>
      ))}
    </Stack>
  );
}
