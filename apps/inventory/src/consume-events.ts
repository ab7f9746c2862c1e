import type { Consumer } from '@store/events';
import { consumeStores, wantsStore } from '@store/service';
import type { Inventory } from './inventory.ts';
import { receiptMovements, wantsReceipt } from './receipts/receipt-movements.ts';
import { saleMovements, wantsSale } from './sales/sale-movements.ts';
import { consumeStaff, wantsStaff } from './staff/consume-staff.ts';
import { writeMovements } from './stock-adjustments/event-movements.ts';

export function consumeEvents(app: Inventory): Pick<Consumer, 'wants' | 'handle'> {
  return {
    wants: (message) => wantsSale(message) || wantsReceipt(message) || wantsStaff(message) || wantsStore(message),
    handle: async (em, messages) => {
      await consumeStores(em, 'inventory', messages);
      const staff = messages.filter(wantsStaff);
      if (staff.length > 0) await consumeStaff(em, staff);
      const movements = messages.flatMap((message) => {
        if (wantsSale(message)) return saleMovements(message);
        return wantsReceipt(message) ? receiptMovements(message) : [];
      });
      await writeMovements(em, app, movements);
    },
  };
}
