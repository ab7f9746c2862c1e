/** Finds a product by name, sku or barcode. A scanner types the code and Enter: an exact barcode or sku is taken at once. */

import { Combobox, Group, Loader, Text, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { MagnifyingGlassIcon } from '@radix-ui/react-icons';
import { type Ref, useEffect, useRef, useState } from 'react';
import type { Schemas } from '../api/gen/api.js';
import { useRead } from '../api/query.ts';
import { numberText, t } from '../language/t.ts';
import { Amount } from './amount.tsx';
import { catalogue } from './catalogue.ts';
import { Scans, takesCodes, takesScans } from './scanner.ts';
import { useCodes } from './use-codes.ts';

export type Product = Schemas['Product'];

const waitMs = 200;
const shownMax = 8;
interface ProductSearchProps {
  label: string;
  onFound: (product: Product) => void;
  inputRef?: Ref<HTMLInputElement>;
  autoFocus?: boolean;
  /** Takes what was entered at once, whether it is a code or not; the field is empty for the next. Absent: it is looked up here. */
  onCode?: (text: string) => void;
  /** A dialog scrolls, so what is found must lie above it; on a page it stays within the page's landmark. */
  inDialog?: boolean;
}

export function ProductSearch({ label, onFound, inputRef, autoFocus, onCode, inDialog = false }: ProductSearchProps) {
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text.trim(), waitMs);
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const found = useRead('listProducts', { query: { search, per_page: shownMax } }, { enabled: search !== '' });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list has what is marked at another place, or not at all.
  useEffect(() => combobox.updateSelectedOptionIndex(), [found.data]);
  // What an earlier text found is not what this one means.
  const products =
    search === '' || search !== text.trim() ? [] : (found.data?.products ?? []).filter(({ has_variations }) => !has_variations);
  const take = (product: Product) => {
    // A list of before may have what was switched off since.
    if (!found.isFetching) catalogue.keep(product);
    onFound(product);
    setText('');
    combobox.closeDropdown();
  };
  const look = useCodes(onFound);
  const scans = useRef(new Scans());
  const enter = (entered: string, isScanned: boolean) => {
    const code = entered.trim();
    if (code === '') return;
    onCode ? onCode(code) : look(code, undefined, !isScanned);
    setText('');
    combobox.closeDropdown();
  };
  return (
    <Combobox
      store={combobox}
      withinPortal={inDialog}
      onOptionSubmit={(id) => take(products.find((product) => String(product.id) === id)!)}
    >
      <Combobox.Target>
        <TextInput
          ref={inputRef}
          label={label}
          placeholder={t('Name, sku or barcode')}
          description={t('Type to search, or scan')}
          autoComplete="off"
          {...(inDialog ? takesScans : takesCodes)}
          data-autofocus={autoFocus || undefined}
          leftSection={<MagnifyingGlassIcon />}
          rightSection={found.isFetching && search !== '' ? <Loader size="xs" /> : undefined}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            combobox.openDropdown();
          }}
          onFocus={() => products.length > 0 && combobox.openDropdown()}
          onBlur={() => combobox.closeDropdown()}
          onKeyDown={(event) => {
            const isScanned = scans.current.key(event.nativeEvent, event.currentTarget) !== undefined;
            if ((event.key !== 'Enter' && !isScanned) || combobox.getSelectedOptionIndex() >= 0) return;
            event.preventDefault();
            enter(event.currentTarget.value, isScanned);
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={products.length === 0}>
        <Combobox.Options aria-label={t('Products found')}>
          {products.map((product) => (
            <Combobox.Option key={product.id} value={String(product.id)}>
              <Group justify="space-between" wrap="nowrap" gap="sm">
                <Text size="sm" truncate>
                  {product.name}
                </Text>
                <Text size="sm" c="dimmed" className="nowrap">
                  <Amount of={product.effective_price} /> · {numberText(product.current_stock)}
                </Text>
              </Group>
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
