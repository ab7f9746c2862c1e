import { parseId } from '@store/input';
import { change, demandVersion, updateRecord } from '@store/service';
import type { Verb } from '../purchasing.ts';
import { acceptSupplier, lockSupplier, Supplier, supplierView } from './supplier.ts';

/** PATCH /suppliers/:id (staff). */
export const updateSupplier: Verb<'UpdateSupplier'> = async (app, request, call) => {
  const accepted = acceptSupplier.update(request.supplier);
  return change(app, call, async (em) => {
    const supplier = await lockSupplier(em, parseId(request.id));
    await demandVersion(call, async () => ({ supplier: supplierView(supplier) }));
    await updateRecord({ em, app, call }, Supplier, supplier, accepted);
    return { supplier: supplierView(supplier) };
  });
};
