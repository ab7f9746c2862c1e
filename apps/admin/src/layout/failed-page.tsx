import { Button, Center, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { isRouteErrorResponse, useRouteError } from 'react-router';

/** Instead of the whole panel when it threw, or when there is no such page. */
export function FailedPage() {
  return (
    <Center component="main" mih="100vh" p="lg">
      <Failure />
    </Center>
  );
}

/** Instead of one page that threw, within the frame. */
export function FailedContent() {
  return (
    <Center mih="50vh">
      <Failure />
    </Center>
  );
}

function Failure() {
  const error = useRouteError();
  if (isRouteErrorResponse(error) && error.status === 404)
    return <Message title="There is no such page">The address may be mistyped.</Message>;
  return <Message title="This page failed">Reload it. A new version of the panel may have been installed meanwhile.</Message>;
}

function Message({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack align="center" gap="xs" maw={440}>
      <Title order={1}>{title}</Title>
      <Text c="dimmed" ta="center" size="sm">
        {children}
      </Text>
      <Button variant="default" mt="sm" onClick={() => window.location.assign('/admin')}>
        To the first page
      </Button>
    </Stack>
  );
}
