/** One product: its facts, variations, and the ledger of its stock. */
import { Anchor, Badge, Button, Grid, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import type { Schemas } from '../api/gen/api.js';
import { ApiProblem } from '../api/problem.ts';
import { useRead, useWrite } from '../api/query.ts';
import { useMay } from '../api/session.ts';
import { HistoryLink } from '../audit/history-link.tsx';
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

/** The answer of a product that was deleted, or never was. */
const gone = 404;

type Dialog = 'change' | 'variation' | 'adjust' | 'delete' | undefined;

export default function ProductPage() {
  const id = Number(useParams().id);
  const found = useRead('getProduct', { params: { id }, query: { include: 'external_id' } });
  const mayWrite = useMay('manager');
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<Dialog>();
  const remove = useWrite('deleteProduct', {
    changes: ['listProducts'],
    quiet: true,
    onDone: () => {
      void navigate('/products');
      undoable('The product is deleted', () => restore.mutate({ params: { id } }));
    },
  });
  const restore = useWrite('restoreProduct', { changes: ['listProducts', 'getProduct'], done: 'The product is restored' });
  const isGone = found.error instanceof ApiProblem && found.error.status === gone;
  const product = found.data?.product;
  const close = () => setDialog(undefined);
  const actions = product && mayWrite && (
    <>
      <HistoryLink kind="Product" id={id} />
      {!product.has_variations && (
        <Button variant="default" onClick={() => setDialog('adjust')}>
          Adjust stock
        </Button>
      )}
      <Button variant="default" onClick={() => setDialog('delete')}>
        Delete
      </Button>
      <Button onClick={() => setDialog('change')}>Change</Button>
    </>
  );
  return (
    <Page title={product?.name ?? 'Product'} above={['/products', 'Products']} actions={actions}>
      <Shown of={found}>{() => <ProductDetails of={product!} onVariation={mayWrite ? () => setDialog('variation') : undefined} />}</Shown>
      {isGone && mayWrite && (
        <Button variant="default" loading={restore.isPending} onClick={() => restore.mutate({ params: { id } })}>
          Restore it, if it was deleted
        </Button>
      )}
      {dialog === 'variation' && product && <ProductForm parent={product} onClose={close} />}
      {dialog === 'change' && product && <ProductForm product={product} onClose={close} />}
      {dialog === 'adjust' && product && <AdjustStock product={product} onClose={close} />}
      <Confirm
        opened={dialog === 'delete'}
        title="Delete this product?"
        action="Delete"
        busy={remove.isPending}
        error={remove.error}
        onClose={close}
        onConfirm={() => remove.mutate({ params: { id } })}
      >
        It can no longer be sold or found. Past sales keep it. It can be restored at once, and later at this address.
      </Confirm>
    </Page>
  );
}

function ProductDetails({ of, onVariation }: { of: Schemas['Product']; onVariation: (() => void) | undefined }) {
  return (
    <Grid gap="md">
      <Grid.Col span={{ base: 12, md: 4 }}>
        <Section title="Details">
          {of.description && (
            <Text size="sm" mb="sm" style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
              {of.description}
            </Text>
          )}
          <Facts
            of={[
              ['Price', <Amount key="price" of={of.price} />],
              ...(of.on_sale ? [['Now', <Amount key="now" of={of.effective_price} />] as [string, React.ReactNode]] : []),
              ['Stock', <StockBadge key="stock" of={of} />],
              ['Low at', of.low_stock_threshold ?? '–'],
              ['Sku', of.sku],
              ['Barcode', of.barcode],
              !!of.external_id && ['External id', of.external_id],
              ['Brand', of.brand],
              ['Categories', of.categories.map(({ name }) => name).join(', ') || '–'],
              ...(of.cost ? [['Cost', <Amount key="cost" of={of.cost} />] as [string, React.ReactNode]] : []),
              [
                'Active',
                of.active ? (
                  'Yes'
                ) : (
                  <Badge key="no" color="gray">
                    No
                  </Badge>
                ),
              ],
              ...(of.primary_image_url
                ? [
                    // The page's policy loads no image of another host.
                    [
                      'Image',
                      <Anchor key="image" href={of.primary_image_url} target="_blank" rel="noreferrer">
                        Open
                      </Anchor>,
                    ] as [string, React.ReactNode],
                  ]
                : []),
              ['Changed', <Time key="changed" at={of.updated_at} ago />],
            ]}
          />
        </Section>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 8 }}>
        <Stack>
          {(of.has_variations || onVariation) && of.product_type !== 'variation' && (
            <Section
              title="Variations"
              aside={
                onVariation && (
                  <Button size="xs" variant="default" onClick={onVariation}>
                    Add one
                  </Button>
                )
              }
            >
              <DataTable
                label="Variations"
                rows={of.variations}
                empty={
                  <Text size="sm" c="dimmed">
                    None: it is sold as it is
                  </Text>
                }
                rowId={({ id }) => id}
                columns={[
                  { id: 'name', header: 'Name', cell: ({ name }) => name },
                  { id: 'sku', header: 'Sku', from: 'sm', cell: ({ sku }) => sku ?? '–' },
                  { id: 'price', header: 'Price', align: 'right', cell: ({ price }) => <Amount of={price} /> },
                  {
                    id: 'stock',
                    header: 'Stock',
                    align: 'right',
                    cell: ({ current_stock }) => <Group justify="flex-end">{current_stock}</Group>,
                  },
                ]}
              />
            </Section>
          )}
          <Section title="Stock ledger">
            <Ledger productId={of.id} />
          </Section>
        </Stack>
      </Grid.Col>
    </Grid>
  );
}
