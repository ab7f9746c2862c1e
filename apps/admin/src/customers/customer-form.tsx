/** Creates or changes a customer; a duplicate is opened instead of created. */
import { Alert, Stack, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Schemas } from '../api/gen/api.js';
import { useWrite } from '../api/query.ts';
import { Dialog } from '../parts/dialog.tsx';
import { FormButtons } from '../parts/form-buttons.tsx';

interface CustomerFormProps {
  customer?: Schemas['Customer'];
  onClose: () => void;
  onSaved?: (id: number) => void;
}

export function CustomerForm({ customer, onClose, onSaved }: CustomerFormProps) {
  const [fields, setFields] = useState({
    name: customer?.name ?? '',
    email: customer?.email ?? '',
    phone: customer?.phone ?? '',
    notes: customer?.notes ?? '',
  });
  const onDone = ({ customer: saved }: { customer?: { id: number } }) => {
    onClose();
    if (saved) onSaved?.(saved.id);
  };
  const create = useWrite('createCustomer', {
    changes: ['listCustomers'],
    quiet: true,
    onDone,
    done: ({ duplicate }) => (duplicate ? 'This customer exists already' : 'The customer is saved'),
  });
  const update = useWrite('updateCustomer', {
    changes: ['listCustomers', 'getCustomer'],
    quiet: true,
    onDone,
    done: 'The customer is saved',
  });
  const error = create.error ?? update.error;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (customer) update.mutate({ params: { id: customer.id }, body: { customer: fields } });
    else create.mutate({ body: { customer: fields } });
  };
  const text = (name: keyof typeof fields) => ({
    value: fields[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget;
      setFields((before) => ({ ...before, [name]: value }));
    },
  });
  return (
    <Dialog onClose={onClose} title={customer ? `Change ${customer.name}` : 'New customer'}>
      <form onSubmit={submit}>
        <Stack>
          {error && <Alert color="red">{error.message}</Alert>}
          <TextInput label="Name" required data-autofocus {...text('name')} />
          <TextInput label="E-mail" type="email" {...text('email')} />
          <TextInput label="Phone" type="tel" {...text('phone')} />
          <Textarea label="Notes" autosize minRows={2} {...text('notes')} />
          <FormButtons onCancel={onClose} busy={create.isPending || update.isPending} />
        </Stack>
      </form>
    </Dialog>
  );
}
