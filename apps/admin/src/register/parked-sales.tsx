import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Pencil1Icon, TrashIcon } from '@radix-ui/react-icons';
import { useEffect, useState } from 'react';
import { isChangedMeanwhile } from '../api/problem.ts';
import { useRead, useWrite } from '../api/query.ts';
import { versions } from '../api/versions.ts';
import { t } from '../language/t.ts';
import { Amount } from '../parts/amount.tsx';
import { Confirm } from '../parts/confirm.tsx';
import type { Field } from '../parts/field-input.tsx';
import { Section } from '../parts/page.tsx';
import { Paging } from '../parts/paging.tsx';
import { RecordDialog } from '../parts/record-dialog.tsx';
import { Shown } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import type { Cart } from './cart.ts';
import { type Ended, type Sale, settleMs } from './till.ts';

/** The list also has completed sales whose delivery is open, which are not shown. */
const perPage = 50;
const refreshMs = 15_000;
/** At first. */
const shownMax = 10;

interface ParkedSalesProps {
  disabled: boolean;
  /** What stands above the list changes with it. */
  ended: Ended | undefined;
  /** The one that this till continues. */
  continued: Cart['parked'];
  onResume: (sale: Sale) => void;
  onDiscard: (sale: Sale) => void;
  onNoted: (noted: { saleId: number; version?: string; note?: string }) => void;
}

export function ParkedSales({ disabled, ended, continued, onResume, onDiscard, onNoted }: ParkedSalesProps) {
  const [noted, setNoted] = useState<Sale>();
  const [discarded, setDiscarded] = useState<Sale>();
  const [page, setPage] = useState(1);
  const [showsAll, setShowsAll] = useState(false);
  // Other tills park too.
  const parked = useRead(
    'listSales',
    { query: { status: 'pending', page, per_page: perPage, include: 'note' } },
    { keepPrevious: true, refetchInterval: refreshMs },
  );
  const waiting = parked.data?.sales.filter(({ status }) => status === 'pending') ?? [];
  const ids = waiting.map(({ id }) => id).join();
  const place = `${ids} ${ended?.saleId}`;
  const [settled] = useDebouncedValue(place, settleMs);
  const isLocked = disabled || settled !== place;
  const pages = Math.max(1, parked.data?.pagination.total_pages ?? page);
  useEffect(() => {
    if (page > pages) setPage(pages);
  }, [page, pages]);
  return (
    <Section title={t('Parked sales')}>
      <Shown of={parked} rows={2}>
        {({ pagination }) => (
          <Stack gap="xs">
            {waiting.length === 0 && (
              <Text size="sm" c="dimmed">
                {t('None|sales')}
              </Text>
            )}
            {waiting.slice(0, showsAll ? perPage : shownMax).map((sale) => (
              <Group key={sale.id} justify="space-between" gap="xs">
                <div>
                  <Text size="sm">{[sale.note, sale.customer?.name].filter(Boolean).join(', ') || sale.receipt_number}</Text>
                  <Text size="xs" c="dimmed" component="div">
                    <Amount of={sale.total} /> · <Time at={sale.created_at} ago />
                  </Text>
                </div>
                <Group gap="xs" wrap="nowrap">
                  <Button
                    variant="default"
                    disabled={isLocked}
                    onClick={() => onResume(sale)}
                    aria-label={t('Resume {receiptNumber}', { receiptNumber: sale.receipt_number })}
                  >
                    {t('Resume')}
                  </Button>
                  <ActionIcon
                    size={36}
                    disabled={isLocked}
                    onClick={() => setNoted(sale)}
                    aria-label={t('Note on {receiptNumber}', { receiptNumber: sale.receipt_number })}
                  >
                    <Pencil1Icon />
                  </ActionIcon>
                  <ActionIcon
                    size={36}
                    disabled={isLocked}
                    onClick={() => setDiscarded(sale)}
                    aria-label={t('Discard {receiptNumber}', { receiptNumber: sale.receipt_number })}
                  >
                    <TrashIcon />
                  </ActionIcon>
                </Group>
              </Group>
            ))}
            {!showsAll && waiting.length > shownMax && (
              <Button variant="subtle" onClick={() => setShowsAll(true)}>
                {t('Show all {count}', { count: waiting.length })}
              </Button>
            )}
            {pagination.total_pages > 1 && <Paging of={pagination} onPage={setPage} label={t('Parked sales')} />}
          </Stack>
        )}
      </Shown>
      <ConfirmDiscard
        receipt={discarded?.receipt_number}
        onClose={() => setDiscarded(undefined)}
        onConfirm={() => {
          setDiscarded(undefined);
          onDiscard(discarded!);
        }}
      />
      {noted && (
        <NoteDialog
          sale={noted}
          version={noted.id === continued?.id ? continued.version : undefined}
          onNoted={onNoted}
          onClose={() => setNoted(undefined)}
        />
      )}
    </Section>
  );
}

interface ConfirmDiscardProps {
  /** Of the sale; undefined: nothing is asked. */
  receipt: string | undefined;
  onClose: () => void;
  onConfirm: () => void;
}

/** Asks before a parked sale is ended. */
export function ConfirmDiscard({ receipt, onClose, onConfirm }: ConfirmDiscardProps) {
  return (
    <Confirm
      opened={receipt !== undefined}
      title={t('Discard {receiptNumber}?', { receiptNumber: receipt })}
      action={t('Discard')}
      onClose={onClose}
      onConfirm={onConfirm}
    >
      {t('It is parked for every till, and cannot be taken up again.')}
    </Confirm>
  );
}

const noteFields: Field[] = [{ path: 'note', label: t('Note'), kind: 'text', description: t('For whom it waits') }];

interface NoteDialogProps {
  sale: Sale;
  /** What the sale must still be: the till goes on with what this makes of it. */
  version: string | undefined;
  onNoted: ParkedSalesProps['onNoted'];
  onClose: () => void;
}

function NoteDialog({ sale: { id, ...sale }, version, onNoted, onClose }: NoteDialogProps) {
  const update = useWrite('updateSale', {
    changes: ['listSales'],
    quiet: true,
    onDone: (_answer, { body, ...sent }) => {
      const { note } = body.sale as { note?: string | null };
      const isAsSeen = 'version' in sent && sent.version !== undefined;
      // At once: the sale may be sent before the list is read again.
      onNoted({ saleId: id, ...(isAsSeen && { version: versions.of(`/sales/${id}`) }), ...(note && { note }) });
      onClose();
    },
  });
  const save = async (body: Record<string, unknown>) => {
    const note = { params: { id }, body: { sale: body } };
    try {
      await update.mutateAsync({ ...note, version });
    } catch (error) {
      if (!isChangedMeanwhile(error)) throw error;
      // The till is told what else was changed when it sends the sale.
      await update.mutateAsync(note);
    }
  };
  return (
    <RecordDialog
      title={t('Note on {receiptNumber}', { receiptNumber: sale.receipt_number })}
      fields={noteFields}
      record={sale}
      sent={update}
      onSave={save}
      onClose={onClose}
    />
  );
}
