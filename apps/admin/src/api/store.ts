/** The store's own settings that the panel shows things by: currency, time zone, what the plan includes. */
import { useRead } from './query.ts';

export interface StoreFacts {
  name: string;
  currency: string;
  timeZone: string;
  has: { customers: boolean; loyalty: boolean; locations: boolean; developerApi: boolean };
}

const fiveMinutes = 5 * 60_000;

export function useStore(): StoreFacts {
  const { data } = useRead('getSettings', {}, { staleTime: fiveMinutes });
  const settings = data?.settings;
  const { features } = settings ?? {};
  return {
    name: settings?.store?.name ?? '',
    currency: settings?.currency?.symbol ?? '',
    timeZone: settings?.timezone ?? 'UTC',
    has: {
      customers: features?.customers ?? true,
      loyalty: features?.loyalty ?? true,
      locations: features?.stock_locations ?? false,
      developerApi: features?.developer_api ?? true,
    },
  };
}
