import { CloseButton } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { MagnifyingGlassIcon } from '@radix-ui/react-icons';
import { useEffect, useRef, useState } from 'react';
import { t } from '../language/t.ts';
import { TextField } from './text-field.tsx';

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
  /** Searches that were asked for here and have not come back as `value`; the field may be further already. */
  const own = useRef<string[]>([]);
  const run = (next: string) => {
    if (next !== (own.current.at(-1) ?? value)) own.current.push(next);
    onSearch(next);
  };
  const search = useDebouncedCallback(run, waitMs);
  useEffect(() => {
    const at = own.current.indexOf(value);
    // A link to the list has another search, or none.
    if (at < 0) setText(value);
    own.current = own.current.slice(at < 0 ? own.current.length : at + 1);
  }, [value]);
  const set = (next: string) => {
    setText(next);
    search(next.trim());
  };
  return (
    <TextField
      type="search"
      aria-label={label}
      placeholder={placeholder ?? label}
      value={text}
      onText={set}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return;
        run(text.trim());
        // Another scan replaces it.
        event.currentTarget.select();
      }}
      leftSection={<MagnifyingGlassIcon />}
      rightSection={text !== '' && <CloseButton size="sm" aria-label={t('Clear the search')} onClick={() => set('')} />}
      style={{ flex: '1 1 240px' }}
    />
  );
}
