import { Stack, Text } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { useBlocker } from 'react-router';
import { answerPassword, usePasswordWanted } from '../api/password-wanted.ts';
import { useWrite } from '../api/query.ts';
import { t } from '../language/t.ts';
import { Dialog } from '../parts/dialog.tsx';
import { FormButtons } from '../parts/form-buttons.tsx';
import { PasswordField } from '../parts/password-field.tsx';

/** Over any page and its dialogs, while a request waits for the password. */
export function ConfirmPassword() {
  return usePasswordWanted() ? <Asked /> : null;
}

function Asked() {
  const [password, setPassword] = useState('');
  const confirm = useWrite('confirmStaffSession', { quiet: true, onDone: () => answerPassword(true) });
  // Back closes the dialog, and not the form behind it.
  const blocker = useBlocker(true);
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    blocker.reset();
    answerPassword(false);
  }, [blocker]);
  // Signed out meanwhile: nothing waits any longer.
  useEffect(() => () => answerPassword(false), []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    confirm.mutate({ body: { password } });
  };
  return (
    <Dialog title={t('Confirm that it is you')} onClose={() => answerPassword(false)} withCloseButton={false} zIndex={300}>
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">{t('This changes who may do what. Enter your own password again; it counts for ten minutes.')}</Text>
          <PasswordField label={t('Your password')} data-autofocus value={password} onText={setPassword} error={confirm.error?.message} />
          <FormButtons onCancel={() => answerPassword(false)} busy={confirm.isPending} action={t('Confirm')} />
        </Stack>
      </form>
    </Dialog>
  );
}
