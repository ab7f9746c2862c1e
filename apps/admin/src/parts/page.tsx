import { Box, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { t } from '../language/t.ts';
import { LinkTo } from './link-to.tsx';

interface PageProps {
  title: string;
  /** One sentence under the title. */
  about?: ReactNode;
  /** Path and name of the page above this one. */
  above?: [string, string];
  actions?: ReactNode;
  children: ReactNode;
}

/** A page of the panel: one h1, and the document's title with it. */
export function Page({ title, about, above, actions, children }: PageProps) {
  useEffect(() => {
    document.title = t('{title} · Store admin', { title });
  }, [title]);
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-end" gap="sm">
        <Box>
          {above && <LinkTo to={above[0]}>← {above[1]}</LinkTo>}
          <Title order={1}>{title}</Title>
          {about && (
            <Text c="dimmed" size="sm" component="div">
              {about}
            </Text>
          )}
        </Box>
        {actions && (
          <Group gap="xs" className="page-actions">
            {actions}
          </Group>
        )}
      </Group>
      {children}
    </Stack>
  );
}

interface SectionProps {
  title?: string;
  aside?: ReactNode;
  /** As high as its neighbour in a grid. */
  fill?: boolean;
  children: ReactNode;
}

/** A titled block of a page. */
export function Section({ title, aside, fill = false, children }: SectionProps) {
  return (
    <Paper p="md" className="section" h={fill ? '100%' : undefined}>
      {(title || aside) && (
        <Group justify="space-between" mb="sm" gap="xs">
          {title && <Title order={2}>{title}</Title>}
          {aside}
        </Group>
      )}
      {children}
    </Paper>
  );
}
