/** One product: its facts, variations, and the ledger of its stock. */

import { Anchor, Badge, Button, Grid, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import type { Schemas } from '../api/gen/api.js';
import { isGone as isGoneBy } from '../api/problem.ts';
import { useRead, useWrite } from '../api/query.ts';
import { useMay } from '../api/session.ts';
import { HistoryLink } from '../audit/history-link.tsx';
import { numberText, t } from '../language/t.ts';
import { Amount } from '../parts/amount.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { Page, Section } from '../parts/page.tsx';
import { Facts, Shown } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { undoable } from '../parts/undoable.tsx';
import { AdjustStock } from '../stock/adjust-stock.tsx';
import { Ledger } from '../stock/ledger.tsx';
import { ProductForm } from './product-form.tsx';
import { StockBadge } from './stock-badge.tsx';

type Dialog = 'change' | 'variation' | 'adjust' | 'delete' | undefined;

export default function ProductPage() {
  const id = Number(useParams().id);
  const found = useRead('getProduct', { params: { id }, query: { include: 'external_id' } });
  const mayWrite = useMay('manager');
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<Dialog>();
  const remove = useWrite('deleteProduct', {
    changes: ['listProducts', 'getProduct'],
    quiet: true,
    onDone: (_answer, _input, isShown) => {
      if (isShown) void navigate('/products');
      undoable(t('The product is deleted'), () => restore.mutate({ params: { id } }));
    },
  });
  const restore = useWrite('restoreProduct', { changes: ['listProducts', 'getProduct'], done: t('The product is restored') });
  // Deleted, or never there.
  const isGone = isGoneBy(found.error);
  // A form that is open keeps what was typed.
  const last = found.data?.product;
  const product = isGone ? undefined : last;
  const close = () => setDialog(undefined);
  const actions = product && mayWrite && (
    <>
      <HistoryLink kind="Product" id={id} />
      {!product.has_variations && (
        <Button variant="default" onClick={() => setDialog('adjust')}>
          {t('Adjust stock')}
        </Button>
      )}
      <Button variant="default" onClick={() => setDialog('delete')}>
        {t('Delete')}
      </Button>
      <Button onClick={() => setDialog('change')}>{t('Change')}</Button>
    </>
  );
  return (
    <Page title={product?.name ?? t('Product')} above={['/products', t('Products')]} actions={actions}>
      <Shown of={found}>{() => <ProductDetails of={product!} onVariation={mayWrite ? () => setDialog('variation') : undefined} />}</Shown>
      {isGone && mayWrite && (
        <Button variant="default" loading={restore.isPending} onClick={() => restore.mutate({ params: { id } })}>
          {t('Restore it, if it was deleted')}
        </Button>
      )}
      {dialog === 'variation' && last && <ProductForm parent={last} onClose={close} />}
      {dialog === 'change' && last && <ProductForm product={last} onClose={close} />}
      {dialog === 'adjust' && last && <AdjustStock product={last} onClose={close} />}
      <Confirm
        opened={dialog === 'delete'}
        title={t('Delete this product?')}
        action={t('Delete')}
        sent={remove}
        onClose={close}
        onConfirm={() => remove.mutate({ params: { id } })}
      >
        {last?.has_variations && `${t('Its variations are deleted with it.')} `}
        {t('It can no longer be sold or found. Past sales keep it. It can be restored at once, and later at this address.')}
      </Confirm>
    </Page>
  );
}

function ProductDetails({ of, onVariation }: { of: Schemas['Product']; onVariation: (() => void) | undefined }) {
  return (
    <Grid gap="md">
      <Grid.Col span={{ base: 12, md: 4 }}>
        <Section title={t('Details')}>
          {of.description && (
            <Text size="sm" mb="sm" style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
              {of.description}
            </Text>
          )}
          <Facts
            of={[
              [t('Price'), <Amount key="price" of={of.price} />],
              of.on_sale && [t('Now'), <Amount key="now" of={of.effective_price} />],
              [t('Stock'), <StockBadge key="stock" of={of} />],
              [t('Low at'), of.low_stock_threshold === undefined ? '–' : numberText(of.low_stock_threshold)],
              [t('Sku'), of.sku],
              [t('Barcode'), of.barcode],
              !!of.external_id && [t('External id'), of.external_id],
              [t('Brand'), of.brand],
              [t('Categories'), of.categories.map(({ name }) => name).join(', ') || '–'],
              !!of.cost && [t('Cost'), <Amount key="cost" of={of.cost} />],
              [
                t('Active|a product'),
                of.active ? (
                  t('Yes')
                ) : (
                  <Badge key="no" color="gray">
                    {t('No')}
                  </Badge>
                ),
              ],
              // The page's policy loads no image of another host.
              !!of.primary_image_url && [
                t('Image'),
                <Anchor key="image" href={of.primary_image_url} target="_blank" rel="noreferrer">
                  {t('Open|verb')}
                </Anchor>,
              ],
              [t('Changed|when'), <Time key="changed" at={of.updated_at} ago />],
            ]}
          />
        </Section>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 8 }}>
        <Stack>
          {(of.has_variations || onVariation) && of.product_type !== 'variation' && (
            <Section
              title={t('Variations')}
              aside={
                onVariation && (
                  <Button size="xs" variant="default" onClick={onVariation}>
                    {t('Add one')}
                  </Button>
                )
              }
            >
              <DataTable
                label={t('Variations')}
                rows={of.variations}
                empty={
                  <Text size="sm" c="dimmed">
                    {t('None: it is sold as it is')}
                  </Text>
                }
                rowId={({ id }) => id}
                columns={[
                  { id: 'name', header: t('Name'), cell: ({ name }) => name },
                  { id: 'sku', header: t('Sku'), from: 'sm', cell: ({ sku }) => sku ?? '–' },
                  { id: 'price', header: t('Price'), align: 'right', cell: ({ price }) => <Amount of={price} /> },
                  { id: 'stock', header: t('Stock'), align: 'right', cell: ({ current_stock }) => numberText(current_stock) },
                ]}
              />
            </Section>
          )}
          <Section title={t('Stock ledger')}>
            <Ledger productId={of.id} />
          </Section>
        </Stack>
      </Grid.Col>
    </Grid>
  );
}
