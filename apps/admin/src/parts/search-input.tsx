import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { MagnifyingGlassIcon } from '@radix-ui/react-icons';
import { useEffect, useRef, useState } from 'react';
import { t } from '../language/t.ts';

const waitMs = 250;

interface SearchInputProps {
  label: string;
  value: string;
  onSearch: (text: string) => void;
  placeholder?: string;
}

/** A search that runs when typing pauses, or at once with Enter. */
export function SearchInput({ label, value, onSearch, placeholder }: SearchInputProps) {
  const [text, setText] = useState(value);
  const searched = useRef(value);
  const run = (next: string) => {
    searched.current = next;
    onSearch(next);
  };
  const search = useDebouncedCallback(run, waitMs);
  useEffect(() => {
    // A link to the list has another search, or none.
    if (value !== searched.current) setText(value);
    searched.current = value;
  }, [value]);
  const set = (next: string) => {
    setText(next);
    search(next.trim());
  };
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={placeholder ?? label}
      value={text}
      onChange={(event) => set(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Enter' && run(text.trim())}
      leftSection={<MagnifyingGlassIcon />}
      rightSection={text !== '' && <CloseButton size="sm" aria-label={t('Clear the search')} onClick={() => set('')} />}
      style={{ flex: '1 1 240px' }}
    />
  );
}
