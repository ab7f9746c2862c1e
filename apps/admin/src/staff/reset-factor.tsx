import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import type { Schemas } from '../api/gen/api.js';
import { useWrite } from '../api/query.ts';
import { t } from '../language/t.ts';

/** For somebody who lost the authenticator app and the recovery codes. */
export function ResetFactor({ of: { id, name }, onDone }: { of: Schemas['StaffUser']; onDone: () => void }) {
  const [sure, setSure] = useState(false);
  const reset = useWrite('removeSecondFactor', {
    changes: ['listStaffUsers'],
    done: t('{name} signs in without a code', { name }),
    onDone: (_answer, _input, isShown) => isShown && onDone(),
  });
  if (!sure) {
    return (
      <Button variant="default" onClick={() => setSure(true)}>
        {t('Reset one-time codes')}
      </Button>
    );
  }
  return (
    <>
      <Text size="sm">{t('Make sure that it is {name} who asks. The password alone signs in then, and all sessions end.', { name })}</Text>
      <Button color="red" loading={reset.isPending} onClick={() => reset.mutate({ params: { id } })}>
        {t('Reset the codes of {name}', { name })}
      </Button>
    </>
  );
}
