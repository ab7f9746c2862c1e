import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import type { Schemas } from '../api/gen/api.js';
import { useWrite } from '../api/query.ts';

/** For somebody who lost the authenticator app and the recovery codes. */
export function ResetFactor({ of: { id, name }, onDone }: { of: Schemas['StaffUser']; onDone: () => void }) {
  const [sure, setSure] = useState(false);
  const reset = useWrite('removeSecondFactor', { changes: ['listStaffUsers'], done: `${name} signs in without a code`, onDone });
  if (!sure) {
    return (
      <Button variant="default" onClick={() => setSure(true)}>
        Reset one-time codes
      </Button>
    );
  }
  return (
    <>
      <Text size="sm">Make sure that it is {name} who asks. The password alone signs in then, and all sessions end.</Text>
      <Button color="red" loading={reset.isPending} onClick={() => reset.mutate({ params: { id } })}>
        Reset the codes of {name}
      </Button>
    </>
  );
}
