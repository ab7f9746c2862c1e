/** Goods without a code, each one touch away. This till keeps which ones; a line of the cart is kept with its star. */

import { Button, Group, Text } from '@mantine/core';
import { useDebouncedValue, useLocalStorage } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { t } from '../language/t.ts';
import type { CartLine } from './cart.ts';
import { type Ended, settleMs } from './till.ts';

/** What a button shows and puts into the cart; the API prices it anew. */
export type Favourite = Pick<CartLine, 'productId' | 'name' | 'unitPrice' | 'weighed'>;

const favouritesMax = 24;

export function useFavourites() {
  const [favourites, setFavourites] = useLocalStorage<Favourite[]>({ key: 'store-admin-favourites', defaultValue: [] });
  return {
    favourites,
    has: (productId: number) => favourites.some((one) => one.productId === productId),
    toggle: ({ productId, name, unitPrice, weighed }: CartLine) => {
      const others = favourites.filter((one) => one.productId !== productId);
      if (others.length < favourites.length) return setFavourites(others);
      if (others.length < favouritesMax) return setFavourites([...others, { productId, name, unitPrice, weighed }]);
      const message = t('There are {count} favourites already: take the star off another', { count: favouritesMax });
      notifications.show({ message, color: 'yellow', autoClose: 8_000 });
    },
  };
}

interface FavouritesProps {
  of: Favourite[];
  ended: Ended | undefined;
  onTake: (favourite: Favourite) => void;
}

export function Favourites({ of, ended, onTake }: FavouritesProps) {
  // A second tap on what completed the sale is none for the next.
  const [settled] = useDebouncedValue(ended, settleMs);
  const isLocked = ended !== undefined && settled !== ended;
  if (of.length === 0) return null;
  return (
    <Group gap="xs" role="group" aria-label={t('Favourites')}>
      {of.map((one) => (
        <Button key={one.productId} className="long-name" variant="default" maw={160} disabled={isLocked} onClick={() => onTake(one)}>
          <Text size="sm" lineClamp={2} style={{ whiteSpace: 'normal' }}>
            {one.name}
          </Text>
        </Button>
      ))}
    </Group>
  );
}
