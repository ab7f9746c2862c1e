/** The stock ledger of the whole store; a product that is found or scanned here is adjusted at once. */

import { Button, Group, Select } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { Link } from 'react-router';
import { useMay } from '../api/session.ts';
import { useStore } from '../api/store.ts';
import { t } from '../language/t.ts';
import { Page, Section } from '../parts/page.tsx';
import { type Product, ProductSearch } from '../parts/product-search.tsx';
import { useListState } from '../parts/url-state.ts';
import { worded } from '../parts/worded.ts';
import { AdjustStock } from './adjust-stock.tsx';
import { Ledger } from './ledger.tsx';
import { TransferStock } from './transfer-stock.tsx';

const types = [
  'receive',
  'count',
  'inventory',
  'spoilage',
  'damage',
  'reweigh',
  'moisture_loss',
  'sale',
  'void',
  'transfer_in',
  'transfer_out',
];

export default function Stock() {
  const { filters, choice } = useListState(['type']);
  const [product, setProduct] = useState<Product>();
  const mayAdjust = useMay('manager');
  const { has } = useStore();
  const [moving, setMoving] = useState(false);
  const actions = (
    <>
      {has.locations && (
        <Button variant="default" component={Link} to="/stock/locations">
          {t('Locations')}
        </Button>
      )}
      {has.locations && mayAdjust && (
        <Button variant="default" onClick={() => setMoving(true)}>
          {t('Move stock')}
        </Button>
      )}
      {mayAdjust && (
        <Button component={Link} to="/stock/count">
          {t('Count stock')}
        </Button>
      )}
    </>
  );
  return (
    <Page title={t('Stock ledger')} about={t('Every change of stock, newest first.')} actions={actions}>
      {mayAdjust && (
        <Section title={t('Adjust stock')}>
          <ProductSearch
            label={t('Product')}
            onFound={(found) => {
              if (product) sayLate(found);
              setProduct((open) => open ?? found);
            }}
          />
        </Section>
      )}
      <Section>
        <Group mb="sm" className="filters">
          <Select
            aria-label={t('Type of change')}
            placeholder={t('Any type')}
            clearable
            data={types.map((value) => ({ value, label: worded(value) }))}
            {...choice('type')}
          />
        </Group>
        <Ledger type={filters.type} />
      </Section>
      {product && <AdjustStock product={product} onClose={() => setProduct(undefined)} />}
      {moving && <TransferStock onClose={() => setMoving(false)} />}
    </Page>
  );
}

/** The dialog of one that is adjusted stays that one's. */
function sayLate({ name }: Product): void {
  const message = t('{name} was found while another product was open: scan it again', { name: name ?? t('Product without a name') });
  notifications.show({ message, color: 'yellow', autoClose: false });
}
