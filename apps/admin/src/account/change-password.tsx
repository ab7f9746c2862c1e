import { Alert, Button, Group, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useWrite } from '../api/query.ts';
import { t } from '../language/t.ts';
import { Section } from '../parts/page.tsx';
import { NewPasswordField, PasswordField } from '../parts/password-field.tsx';

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
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ body: { staff_user: { current_password: current, password } } });
  };
  return (
    <Section title={t('Password')}>
      <form onSubmit={submit}>
        <Stack>
          <div className="fields">
            <PasswordField label={t('Current password')} value={current} onText={setCurrent} />
            <NewPasswordField value={password} onText={setPassword} />
          </div>
          {save.error && <Alert color="red">{save.error.message}</Alert>}
          <Group justify="flex-end">
            <Button type="submit" loading={save.isPending}>
              {t('Change the password')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
