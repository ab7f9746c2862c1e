import { Select, type SelectProps } from '@mantine/core';
import { useState } from 'react';

interface SearchSelectProps extends Omit<SelectProps, 'data' | 'searchable' | 'value' | 'onChange'> {
  data: (string | { value: string; label: string })[];
  value: string | null;
  onChange: (value: string | null) => void;
}

/**
 * A choice that is found by typing. Enter takes the first that matches, and a whole name is taken when the field is left; a form is never
 * sent by the Enter behind a text that chooses nothing.
 */
export function SearchSelect({ data, value, onChange, onSearchChange, ...rest }: SearchSelectProps) {
  const [typed, setTyped] = useState('');
  const choices = data.map((choice) => (typeof choice === 'string' ? { value: choice, label: choice } : choice));
  const chosen = choices.find((choice) => choice.value === value)?.label ?? '';
  return (
    <Select
      {...rest}
      searchable
      data={choices}
      value={value}
      onChange={onChange}
      selectFirstOptionOnChange={typed !== '' && typed !== chosen}
      onSearchChange={(text) => {
        setTyped(text);
        onSearchChange?.(text);
      }}
      onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.value !== chosen && event.preventDefault()}
      onBlur={(event) => {
        const text = event.currentTarget.value.trim().toLowerCase();
        const named = choices.filter(({ label }) => label.toLowerCase() === text);
        if (named.length === 1 && named[0]!.value !== value) onChange(named[0]!.value);
      }}
    />
  );
}
