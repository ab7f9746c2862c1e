import { CloseButton, Group, Select, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useRead } from '../api/query.ts';
import { t } from '../language/t.ts';
import { nameless } from './worded.ts';

interface CustomerSearchProps {
  customer: { id: number; name: string } | undefined;
  onChange: (customer: { id: number; name: string } | undefined) => void;
  /** What none stands for. */
  none?: string;
  /** Above a list the field has no text above it. */
  isFilter?: boolean;
  /** Makes one of this name; absent: nobody is made here. */
  onNew?: (name: string) => void;
}

/** The choice that makes one. */
const fresh = 'new';
const waitMs = 250;
const shownMax = 8;

/** Chooses a customer, or none. */
export function CustomerSearch({ customer, onChange, none = t('Walk-in'), isFilter = false, onNew }: CustomerSearchProps) {
  const [text, setText] = useState('');
  const [q] = useDebouncedValue(text.trim(), waitMs);
  const found = useRead('listCustomers', { query: { q, per_page: shownMax } }, { enabled: q !== '' && !customer });
  if (customer) {
    return (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">
          {t('Customer')} <b>{customer.name}</b>
        </Text>
        <CloseButton aria-label={t('Remove the customer')} onClick={() => onChange(undefined)} />
      </Group>
    );
  }
  // What an earlier text found is not what this one means.
  const isCurrent = q === text.trim();
  const customers = isCurrent ? (found.data?.customers ?? []) : [];
  return (
    <Select
      {...{ [isFilter ? 'aria-label' : 'label']: t('Customer') }}
      placeholder={none}
      searchable
      filter={({ options }) => options}
      nothingFoundMessage={q === '' ? t('Type a name, phone or card number') : t('No customer found')}
      data={[
        ...customers.map(({ id, name, customer_code }) => ({
          value: String(id),
          label: `${name ?? nameless} ${customer_code ?? ''}`.trim(),
        })),
        ...(q === '' || !isCurrent || !onNew ? [] : [{ value: fresh, label: t('New customer: {q}', { q }) }]),
      ]}
      searchValue={text}
      onSearchChange={setText}
      value={null}
      onChange={(id) => {
        if (id === fresh) return onNew?.(q);
        const chosen = customers.find((one) => String(one.id) === id);
        if (chosen) onChange({ id: chosen.id, name: chosen.name ?? nameless });
      }}
    />
  );
}
