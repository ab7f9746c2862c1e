import { Stack } from '@mantine/core';
import { useState } from 'react';
import { useWrite } from '../api/query.ts';
import { t } from '../language/t.ts';
import { FormButtons } from '../parts/form-buttons.tsx';
import { Section } from '../parts/page.tsx';
import { NewPasswordField, PasswordField } from '../parts/password-field.tsx';
import { SentFields, useSending } from '../parts/sending.tsx';

export function ChangePassword() {
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const save = useWrite('updateOwnStaffUser', {
    changes: ['listStaffSessions'],
    done: t('The password is changed, and all other sessions are ended'),
    quiet: true,
    onDone: () => {
      setCurrent('');
      setPassword('');
    },
  });
  const { submit, isLost } = useSending(save, () => save.mutate({ body: { staff_user: { current_password: current, password } } }));
  return (
    <Section title={t('Password')}>
      <form onSubmit={submit}>
        <Stack>
          <SentFields sent={save}>
            <div className="fields">
              <PasswordField label={t('Current password')} value={current} onText={setCurrent} />
              <NewPasswordField value={password} onText={setPassword} />
            </div>
          </SentFields>
          <FormButtons busy={save.isPending} isLost={isLost} action={t('Change the password')} />
        </Stack>
      </form>
    </Section>
  );
}
