/** Orders goods from a supplier. */
import { ActionIcon, Alert, Button, Group, NumberInput, Select, Stack, Table, TextInput } from '@mantine/core';
import { Cross2Icon } from '@radix-ui/react-icons';
import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { useRead, useWrite } from '../api/query.ts';
import { useSession } from '../api/session.ts';
import { NeedsRole } from '../layout/needs-role.tsx';
import { useKept } from '../parts/kept.ts';
import { Page, Section } from '../parts/page.tsx';
import { ProductSearch } from '../parts/product-search.tsx';
import { Empty } from '../parts/states.tsx';
import { TableScroll } from '../parts/table-scroll.tsx';

interface OrderLine {
  productId: number;
  name: string;
  quantity: number | string;
  price: string;
}

export default function NewOrder() {
  return (
    <NeedsRole least="manager">
      <OrderForm />
    </NeedsRole>
  );
}

const empty = { supplier: null, lines: [] };

function OrderForm() {
  const navigate = useNavigate();
  const [q, setQ] = useState('');
  const suppliers = useRead('listSuppliers', { query: { q, per_page: 100 } }, { keepPrevious: true });
  const [{ supplier, lines }, setDraft] = useKept<{ supplier: string | null; lines: OrderLine[] }>(`order-${useSession()?.user.id}`, empty);
  const setLines = (next: (all: OrderLine[]) => OrderLine[]) => setDraft((draft) => ({ ...draft, lines: next(draft.lines) }));
  const create = useWrite('createPurchaseOrder', {
    changes: ['listPurchaseOrders'],
    quiet: true,
    onDone: ({ purchase_order }) => {
      setDraft(empty);
      void navigate(`/purchase-orders/${purchase_order!.id}`);
    },
  });
  const change = (productId: number, changes: Partial<OrderLine>) =>
    setLines((all) => all.map((line) => (line.productId === productId ? { ...line, ...changes } : line)));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const line_items = lines.map(({ productId, quantity, price }) => ({
      product_id: productId,
      quantity_ordered: Number(quantity),
      unit_price: price,
    }));
    create.mutate({ body: { purchase_order: { ...(supplier && { supplier_id: Number(supplier) }), line_items } } });
  };
  return (
    <Page title="New purchase order" above={['/purchase-orders', 'Purchase orders']}>
      <Section>
        <form onSubmit={submit}>
          <Stack>
            {create.error && <Alert color="red">{create.error.message}</Alert>}
            <Select
              label="Supplier"
              placeholder="None"
              clearable
              searchable
              onSearchChange={setQ}
              maw={360}
              data={(suppliers.data?.suppliers ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
              value={supplier}
              onChange={(next) => setDraft((draft) => ({ ...draft, supplier: next }))}
            />
            <ProductSearch
              label="Add a product"
              onFound={({ id, name, cost }) =>
                setLines((all) =>
                  all.some(({ productId }) => productId === id)
                    ? all.map((line) => (line.productId === id ? { ...line, quantity: Number(line.quantity) + 1 } : line))
                    : [...all, { productId: id, name: name ?? '', quantity: 1, price: cost ?? '0.00' }],
                )
              }
            />
            {lines.length === 0 ? (
              <Empty title="No lines yet" />
            ) : (
              <OrderLines
                lines={lines}
                change={change}
                remove={(id) => setLines((all) => all.filter(({ productId }) => productId !== id))}
              />
            )}
            <Group justify="flex-end">
              <Button type="submit" loading={create.isPending} disabled={lines.length === 0}>
                Create the order
              </Button>
            </Group>
          </Stack>
        </form>
      </Section>
    </Page>
  );
}

interface OrderLinesProps {
  lines: OrderLine[];
  change: (productId: number, changes: Partial<OrderLine>) => void;
  remove: (productId: number) => void;
}

function OrderLines({ lines, change, remove }: OrderLinesProps) {
  return (
    <TableScroll label="Lines of the order">
      <Table highlightOnHover={false}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Product</Table.Th>
            <Table.Th w={110}>Quantity</Table.Th>
            <Table.Th w={110}>Unit price</Table.Th>
            <Table.Td w={44} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.map((line) => (
            <Table.Tr key={line.productId}>
              <Table.Td>{line.name}</Table.Td>
              <Table.Td>
                <NumberInput
                  size="xs"
                  aria-label={`Quantity of ${line.name}`}
                  min={0.001}
                  decimalScale={3}
                  value={line.quantity}
                  onChange={(quantity) => change(line.productId, { quantity })}
                />
              </Table.Td>
              <Table.Td>
                <TextInput
                  size="xs"
                  aria-label={`Unit price of ${line.name}`}
                  inputMode="decimal"
                  value={line.price}
                  onChange={(event) => change(line.productId, { price: event.currentTarget.value })}
                />
              </Table.Td>
              <Table.Td>
                <ActionIcon variant="subtle" color="gray" aria-label={`Remove ${line.name}`} onClick={() => remove(line.productId)}>
                  <Cross2Icon />
                </ActionIcon>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </TableScroll>
  );
}
