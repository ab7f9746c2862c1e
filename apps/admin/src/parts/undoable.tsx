import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useRef } from 'react';
import { t } from '../language/t.ts';

const shownMs = 10_000;

/** Says what was done, with a button that takes it back. Returns what ends the offer. */
export function undoable(what: string, undo: () => unknown): () => void {
  let isUndone = false;
  const id = notifications.show({
    autoClose: shownMs,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{what}</Text>
        <Button
          size="xs"
          variant="default"
          onClick={() => {
            // What cannot be undone now can be undone later.
            if (isUndone || undo() === false) return;
            isUndone = true;
            notifications.hide(id);
          }}
        >
          {t('Undo')}
        </Button>
      </Group>
    ),
  });
  return () => notifications.hide(id);
}

/** Offers that end together, as with the sale that they are of. */
export function useUndos() {
  const offers = useRef<(() => void)[]>([]);
  return {
    offer: (what: string, undo: () => unknown) => void offers.current.push(undoable(what, undo)),
    endOffers: () => {
      for (const end of offers.current.splice(0)) end();
    },
  };
}
