/** Fields of forms that are told as a list: of the settings, and of records that have no form of their own. */

import { Input, Select, Switch, Text, Textarea } from '@mantine/core';
import { useRead } from '../api/query.ts';
import { t } from '../language/t.ts';
import { DecimalField } from './decimal-field.tsx';
import { MoneyField } from './money-field.tsx';
import { ProductSearch } from './product-search.tsx';
import { QuantityField } from './quantity-field.tsx';
import { SearchSelect } from './search-select.tsx';
import { TextField } from './text-field.tsx';

export interface Field {
  /** The API's name of it; of the settings, its path. */
  path: string;
  label: string;
  /** `record`: the id of one of the choices, or none. `product`: the id of one that is searched. */
  kind: 'text' | 'long' | 'number' | 'decimal' | 'money' | 'date' | 'switch' | 'choice' | 'record' | 'product';
  /** Absent: the time zones. */
  choices?: { value: string; label: string }[];
  description?: string;
  required?: boolean;
  /** Shown only while this says so. */
  when?: (values: Values) => boolean;
}

export type Value = string | number | boolean;
export type Values = Record<string, Value>;

interface FieldInputProps {
  of: Field;
  value: Value;
  error: string | undefined;
  onChange: (value: Value) => void;
  autoFocus?: boolean;
}

/** All that the browser knows; the API has the same names. */
const timeZones = ['UTC', ...Intl.supportedValuesOf('timeZone')];

export function FieldInput({ of: { kind, choices, ...field }, value, error, onChange, autoFocus = false }: FieldInputProps) {
  const { label, description, required } = field;
  const common = { label, description, required, error, 'data-autofocus': autoFocus || undefined };
  const text = { ...common, value: String(value), onText: onChange };
  switch (kind) {
    case 'switch':
      return (
        <Switch label={label} checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} className="switch" />
      );
    case 'number':
      return <QuantityField {...common} whole value={value as number | string} onQuantity={onChange} />;
    case 'choice':
    case 'record': {
      const choice = {
        ...common,
        value: value === '' ? null : String(value),
        onChange: (next: string | null) => onChange(kind === 'record' && next !== null ? Number(next) : (next ?? '')),
      };
      if (choices && kind === 'choice') return <Select {...choice} data={choices} />;
      return (
        <SearchSelect
          {...choice}
          data={choices ?? [...new Set([...timeZones, String(value)])]}
          limit={choices ? undefined : 100}
          clearable={kind === 'record' && !required}
          placeholder={kind === 'record' ? t('None') : undefined}
        />
      );
    }
    case 'decimal':
      return <DecimalField {...text} />;
    case 'money':
      return <MoneyField {...text} />;
    case 'long':
      return <Textarea {...common} autosize minRows={2} value={String(value)} onChange={(event) => onChange(event.currentTarget.value)} />;
    case 'product':
      return <ProductField label={label} id={value} error={error} onChange={onChange} />;
    case 'date':
      return <TextField {...text} type="date" />;
    case 'text':
      return <TextField {...text} />;
  }
}

interface ProductFieldProps {
  label: string;
  id: Value;
  error: string | undefined;
  onChange: (id: number) => void;
}

function ProductField({ label, id, error, onChange }: ProductFieldProps) {
  const { data } = useRead('getProduct', { params: { id: Number(id) } }, { enabled: id !== '' });
  return (
    <Input.Wrapper error={error}>
      <ProductSearch label={label} inDialog onFound={(product) => onChange(product.id)} />
      {id !== '' && <Text size="sm">{data?.product?.name}</Text>}
    </Input.Wrapper>
  );
}
