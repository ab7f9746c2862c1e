import { Button, Center, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { isRouteErrorResponse, useRouteError } from 'react-router';
import { t } from '../language/t.ts';

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
    return <Message title={t('There is no such page')}>{t('The address may be mistyped.')}</Message>;
  return <Message title={t('This page failed')}>{t('Reload it, or try again later.')}</Message>;
}

const reloadedKey = 'store-admin-reloaded';
const answerWithinMs = 5_000;

/** In the place of a page whose file is gone, as after an update: everything is loaded anew, once; after that the person is asked. */
export function MissingFile() {
  const [isSecond, setIsSecond] = useState(() => sessionStorage.getItem(reloadedKey) === window.location.pathname);
  useEffect(() => {
    if (isSecond) return sessionStorage.removeItem(reloadedKey);
    let isLeft = false;
    // Without the store the browser would show a page of its own in place of the panel.
    fetch('/admin/', { cache: 'no-store', signal: AbortSignal.timeout(answerWithinMs) }).then(
      ({ ok }) => {
        if (isLeft) return;
        if (!ok) return setIsSecond(true);
        sessionStorage.setItem(reloadedKey, window.location.pathname);
        window.location.reload();
      },
      () => setIsSecond(true),
    );
    return () => {
      isLeft = true;
    };
  }, [isSecond]);
  if (!isSecond) return null;
  return (
    <Center mih="50vh">
      <Message title={t('This page could not be loaded')} onAgain={() => setIsSecond(false)}>
        {t('The store does not answer, or a new version of the panel is being installed.')}
      </Message>
    </Center>
  );
}

function Message({ title, children, onAgain }: { title: string; children: ReactNode; onAgain?: () => void }) {
  return (
    <Stack align="center" gap="xs" maw={440}>
      <Title order={1}>{title}</Title>
      <Text c="dimmed" ta="center" size="sm">
        {children}
      </Text>
      {onAgain && (
        <Button mt="sm" onClick={onAgain}>
          {t('Try again')}
        </Button>
      )}
      <Button variant="default" mt="sm" onClick={() => window.location.assign('/admin')}>
        {t('To the first page')}
      </Button>
    </Stack>
  );
}
