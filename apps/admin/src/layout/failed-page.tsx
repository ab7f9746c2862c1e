import { Button, Stack } from '@mantine/core';
import { isRouteErrorResponse, useRouteError } from 'react-router';
import { Empty } from '../parts/states.tsx';

/** Instead of a page that threw, or that does not exist. */
export function FailedPage() {
  const error = useRouteError();
  const missing = isRouteErrorResponse(error) && error.status === 404;
  return (
    <Stack p="lg">
      <Empty
        title={missing ? 'There is no such page' : 'This page failed'}
        action={
          <Button variant="default" onClick={() => window.location.assign('/admin')}>
            To the first page
          </Button>
        }
      >
        {missing ? 'The address may be mistyped.' : 'Reload it. A new version of the panel may have been installed meanwhile.'}
      </Empty>
    </Stack>
  );
}
