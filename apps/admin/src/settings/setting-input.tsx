import { NumberInput, Select, Switch, Textarea, TextInput } from '@mantine/core';
import type { SettingField } from './fields.ts';

interface SettingInputProps {
  of: SettingField;
  value: string | number | boolean;
  error: string | undefined;
  onChange: (value: string | number | boolean) => void;
}

/** All that the browser knows; the API has the same names. */
const timeZones = ['UTC', ...Intl.supportedValuesOf('timeZone')];

export function SettingInput({ of: { label, kind, choices }, value, error, onChange }: SettingInputProps) {
  const common = { label, error };
  switch (kind) {
    case 'switch':
      return (
        <Switch label={label} checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} className="switch" />
      );
    case 'number':
      return <NumberInput {...common} min={0} allowDecimal={false} value={Number(value)} onChange={(next) => onChange(Number(next))} />;
    case 'choice':
      return (
        <Select
          {...common}
          data={choices ?? [...new Set([...timeZones, String(value)])]}
          searchable={!choices}
          limit={choices ? undefined : 100}
          allowDeselect={false}
          value={String(value)}
          onChange={(next) => next !== null && onChange(next)}
        />
      );
    case 'long':
      return <Textarea {...common} autosize minRows={2} value={String(value)} onChange={(event) => onChange(event.currentTarget.value)} />;
    case 'text':
      return <TextInput {...common} value={String(value)} onChange={(event) => onChange(event.currentTarget.value)} />;
  }
}
