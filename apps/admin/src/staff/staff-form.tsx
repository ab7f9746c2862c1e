import { Button, Select, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { call } from '../api/client.ts';
import type { Schemas } from '../api/gen/api.js';
import { useWrite } from '../api/query.ts';
import { type Role, useSession } from '../api/session.ts';
import { t } from '../language/t.ts';
import { Dialog } from '../parts/dialog.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';
import { NewPasswordField } from '../parts/password-field.tsx';
import { useRecordForm } from '../parts/record-form.tsx';
import { Fault } from '../parts/sending.tsx';
import { TextField } from '../parts/text-field.tsx';
import { InviteLink } from './invite-link.tsx';
import { ResetFactor } from './reset-factor.tsx';

type StaffUser = Schemas['StaffUser'];

const roles = [
  { value: 'clerk', label: t('Clerk') },
  { value: 'manager', label: t('Manager') },
  { value: 'admin', label: t('Admin') },
];

const passwords = [
  { value: 'link', label: t('The person chooses it by a link that I send') },
  { value: 'given', label: t('I choose it') },
];

const fieldsOf = ({ name, email, role, financial_data, active }: StaffUser) => ({ name, email, role, financial_data, active });
const nobody: ReturnType<typeof fieldsOf> = { name: '', email: '', role: 'clerk', financial_data: false, active: true };

export function StaffForm({ user, onClose }: { user: StaffUser | undefined; onClose: () => void }) {
  const read = async () => fieldsOf((await call('listStaffUsers', {})).staff_users.find(({ id }) => id === user?.id) ?? user!);
  const form = useRecordForm(user ? fieldsOf(user) : nobody, user && { path: '', shown: user, read });
  const { now, changes, set } = form;
  const [password, setPassword] = useState('');
  const isSelf = useSession()?.user.id === user?.id;
  const options = { changes: ['listStaffUsers'] as const, done: t('The person is saved'), quiet: true, onDone: onClose };
  const [byLink, setByLink] = useState(true);
  const [link, setLink] = useState<Schemas['StaffInvite']>();
  const create = useWrite('createStaffUser', { ...options, onDone: ({ invite }) => (invite ? setLink(invite) : onClose()) });
  const update = useWrite('updateStaffUser', options);
  const invite = useWrite('inviteStaffUser', { changes: ['listStaffUsers'], quiet: true, onDone: (answer) => setLink(answer.invite) });
  const isDirty = Object.keys(changes).length > 0 || password !== '';
  const submit = () => {
    const { active: _active, ...fields } = now;
    if (!user) return create.mutate({ body: byLink ? { staff_user: fields, invite: true } : { staff_user: { ...fields, password } } });
    // What another admin changed meanwhile, as the role, stays.
    const staff_user = { ...changes, ...(password !== '' && { password }) };
    if (Object.keys(staff_user).length === 0) return onClose();
    void form.save(() => update.mutateAsync({ params: { id: user.id }, body: { staff_user } }));
  };
  if (link) {
    return (
      <Dialog onClose={onClose} title={t('Invite {name}', { name: now.name })} closeOnClickOutside={false}>
        <InviteLink of={link} onClose={onClose} />
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={user ? t('Change {name}', { name: user.name }) : t('Add a person')}
      onClose={onClose}
      onSubmit={submit}
      sent={{ isPending: create.isPending || update.isPending || invite.isPending, error: create.error ?? update.error }}
      form={form}
      isDirty={isDirty}
    >
      <TextField label={t('Name')} required data-autofocus value={now.name} onText={(text) => set({ name: text })} />
      <TextField
        label={t('E-mail')}
        type="email"
        description={t('To sign in with')}
        required
        autoComplete="off"
        value={now.email}
        onText={(text) => set({ email: text })}
      />
      {!user && (
        <Select label={t('Password')} data={passwords} value={byLink ? 'link' : 'given'} onChange={(way) => setByLink(way === 'link')} />
      )}
      {(user || !byLink) && (
        <NewPasswordField
          {...(user ? { description: t('Empty: the password stays'), required: false } : { label: t('First password') })}
          value={password}
          onText={setPassword}
        />
      )}
      <Select label={t('Role')} data={roles} value={now.role} onChange={(next) => set({ role: (next ?? 'clerk') as Role })} />
      <Switch
        label={t('Sees costs')}
        checked={now.financial_data}
        onChange={(event) => set({ financial_data: event.currentTarget.checked })}
      />
      {user && (
        <Switch
          label={t('Active')}
          description={
            isSelf
              ? t('This is your own account')
              : t(
                  'Without it the person can no longer sign in. Keys that the person made go on, and an open drawer stays open until a manager closes it',
                )
          }
          disabled={isSelf}
          checked={now.active}
          onChange={(event) => set({ active: event.currentTarget.checked })}
        />
      )}
      {invite.error && <Fault of={invite.error} />}
      {user && !isSelf && isDirty && <Text size="sm">{t('A link or a reset comes after what you changed here is saved.')}</Text>}
      {user?.active && !isSelf && (
        <Button variant="default" disabled={isDirty} loading={invite.isPending} onClick={() => invite.mutate({ params: { id: user.id } })}>
          {t('Make a link to choose a password')}
        </Button>
      )}
      {user?.second_factor && !isSelf && !isDirty && <ResetFactor of={user} onDone={onClose} />}
    </FormDialog>
  );
}
