import { change, createRecord } from '@store/service';
import type { Verb } from '../purchasing.ts';
import { acceptSupplier, Supplier, supplierView } from './supplier.ts';

/** POST /suppliers (staff). */
export const createSupplier: Verb<'CreateSupplier'> = async (app, request, call) => {
  const accepted = acceptSupplier.create(request.supplier);
  return change(app, call, async (em) => {
    const supplier = await createRecord({ em, app, call }, Supplier, accepted, { email: null, phone: null });
    return { supplier: supplierView(supplier) };
  });
};
