/** Creates or changes a customer; a duplicate is opened instead of created. */

import { Alert, Button, Group, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type KeyboardEvent, useRef, useState } from 'react';
import { call } from '../api/client.ts';
import type { Schemas } from '../api/gen/api.js';
import { faultOf } from '../api/problem.ts';
import { sayFailed, useWrite } from '../api/query.ts';
import { session, useSession } from '../api/session.ts';
import { useIsShown } from '../api/use-is-shown.ts';
import { t } from '../language/t.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { useRecordForm } from '../parts/record-form.tsx';
import { holdsCode, takesScans } from '../parts/scanner.ts';
import { nameless } from '../parts/worded.ts';

type Customer = Schemas['Customer'];

interface CustomerFormProps {
  customer?: Customer;
  /** Of a new one, as far as it is known. */
  name?: string;
  onClose: () => void;
  onSaved?: (customer: Saved) => void;
}

type Saved = Pick<Customer, 'id' | 'name'>;

const isSameName = (saved: Saved | undefined, { name }: { name: string }): boolean => saved?.name?.trim() === name.trim();

/** Phones that differ in blanks or the country's code are one. */
const lastDigits = (phone: string): string => phone.replace(/\D/g, '').slice(-6);

/** Whether the customer lacks something of what was typed, besides the name. */
function lacks(customer: Customer, { name: _named, phone, ...typed }: Partial<Fields>): boolean {
  const stored = fieldsOf(customer);
  if (phone && lastDigits(phone) !== lastDigits(stored.phone)) return true;
  return Object.entries(typed).some(([field, text]) => text.trim().toLowerCase() !== stored[field as keyof Fields].toLowerCase());
}

/** A scanner ends with Enter; other fields may be empty still, and another scan replaces the code. */
const selectByEnter = (event: KeyboardEvent<HTMLInputElement>) => {
  if (event.key !== 'Enter') return;
  event.preventDefault();
  event.currentTarget.select();
};

const fieldsOf = (customer: Customer | undefined, name = '') => ({
  name: customer?.name ?? name,
  email: customer?.email ?? '',
  phone: customer?.phone ?? '',
  loyalty_card_number: customer?.loyalty_card_number ?? '',
  address_line1: customer?.address?.line1 ?? '',
  address_line2: customer?.address?.line2 ?? '',
  city: customer?.address?.city ?? '',
  province: customer?.address?.province ?? '',
  postal_code: customer?.address?.postal_code ?? '',
  country: customer?.address?.country ?? '',
  notes: customer?.notes ?? '',
});

type Fields = ReturnType<typeof fieldsOf>;
const addressParts = ['address_line2', 'city', 'postal_code', 'province', 'country'] as const;

export function CustomerForm({ customer, name = '', onClose, onSaved }: CustomerFormProps) {
  const params = { id: customer?.id ?? 0 };
  const read = async () => fieldsOf((await call('getCustomer', { params })).customer);
  const form = useRecordForm(fieldsOf(customer, name), customer && { path: `/customers/${customer.id}`, shown: customer, read });
  /** Another, who has the phone or the e-mail that was typed. */
  const [other, setOther] = useState<Saved>();
  const isShown = useIsShown();
  const by = useSession()?.user.id;
  const onDone = ({ customer: saved }: { customer?: Saved }) => {
    onClose();
    // The page was left: another sale may be there.
    if (saved && isShown.current) onSaved?.(saved);
  };
  const create = useWrite('createCustomer', {
    changes: ['listCustomers'],
    quiet: true,
    onDone,
    done: ({ customer: saved, duplicate }) => {
      if (!duplicate) return t('The customer is saved');
      return saved && lacks(saved, form.changes)
        ? t('This customer exists already: what else you typed is not saved')
        : t('This customer exists already');
    },
  });
  const body = { customer: { ...form.changes, name: form.now.name } };
  const isAsked = useRef(false);
  // A duplicate is given an e-mail that it lacks (D226), so it is asked for before anything is stored.
  const ask = useMutation({
    mutationFn: () => call('createCustomer', { body }, { dryRun: true }),
    onSuccess: ({ customer: found, duplicate }) => {
      // Whoever asked has signed out since, and nobody else is to make it.
      if (session.get()?.user.id !== by) return sayFailed(new Error(t('Nothing of yours is saved yet.')));
      if (!duplicate || isSameName(found, form.now)) return create.mutate({ body });
      if (isShown.current) return setOther(found);
      sayFailed(new Error(t('{name} has this phone or e-mail already', { name: found?.name ?? nameless })));
    },
    onError: (error) => isShown.current || sayFailed(error),
    onSettled: () => {
      isAsked.current = false;
    },
  });
  const update = useWrite('updateCustomer', {
    changes: ['listCustomers', 'getCustomer'],
    quiet: true,
    onDone,
    done: t('The customer is saved'),
  });
  const error = ask.error ?? create.error ?? update.error;
  const submit = () => {
    if (create.lost.current) return create.mutate(create.lost.current);
    setOther(undefined);
    if (customer) void form.save((some, version) => update.mutateAsync({ params, body: { customer: some }, version }));
    else if (!isAsked.current) {
      isAsked.current = true;
      ask.mutate();
    }
  };
  /** Without its first line the rest of an address is shown nowhere; one that lacks it already stays as it is. */
  const lacksLine =
    addressParts.some((part) => form.now[part] !== '') && ['address_line1', ...addressParts].some((part) => part in form.changes);
  const text = (name: keyof typeof form.now) => ({
    value: form.now[name],
    error: faultOf(error, name),
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => form.set({ [name]: value }),
  });
  return (
    <FormDialog
      title={customer ? t('Change {name}', { name: customer.name }) : t('New customer')}
      onClose={onClose}
      onSubmit={submit}
      sent={{ isPending: ask.isPending || create.isPending || update.isPending, error }}
      form={form}
    >
      {other && (
        <Alert color="yellow" role="alert" title={t('{name} has this phone or e-mail already', { name: other.name ?? nameless })}>
          <Group gap="xs">
            <Button variant="default" onClick={() => create.mutate({ body })}>
              {t('It is the same person')}
            </Button>
            <Button variant="default" onClick={() => create.mutate({ body: { ...body, force_create: true } })}>
              {t('Create another customer')}
            </Button>
          </Group>
        </Alert>
      )}
      <TextInput label={t('Name')} required data-autofocus {...text('name')} />
      <Group grow align="flex-start">
        <TextInput label={t('E-mail')} type="email" {...text('email')} />
        <TextInput label={t('Phone')} type="tel" {...text('phone')} />
      </Group>
      <TextInput label={t('Loyalty card')} {...text('loyalty_card_number')} {...takesScans} {...holdsCode} onKeyDown={selectByEnter} />
      <TextInput label={t('Address')} required={lacksLine} {...text('address_line1')} />
      <TextInput aria-label={t('Address, second line')} {...text('address_line2')} />
      <Group grow align="flex-start">
        <TextInput label={t('City')} {...text('city')} />
        <TextInput label={t('Postcode')} {...text('postal_code')} />
      </Group>
      <Group grow align="flex-start">
        <TextInput label={t('Region')} {...text('province')} />
        <TextInput label={t('Country')} {...text('country')} />
      </Group>
      <Textarea label={t('Notes')} autosize minRows={2} {...text('notes')} />
    </FormDialog>
  );
}
