import { flushRecord } from '@store/db';
import { parseId } from '@store/input';
import { change, recordChange } from '@store/service';
import type { Verb } from '../purchasing.ts';
import { lockSupplier, Supplier } from './supplier.ts';

/** DELETE /suppliers/:id (staff): archives, so that its orders keep it. */
export const archiveSupplier: Verb<'ArchiveSupplier'> = (app, request, call) =>
  change(app, call, async (em) => {
    const supplier = await lockSupplier(em, parseId(request.id));
    const { id, name, email, phone } = supplier;
    supplier.archivedAt = supplier.updatedAt = app.db.clock.now();
    await flushRecord(em, Supplier);
    await recordChange(em, app, call, Supplier, id, { before: { name, email, phone }, after: null });
    return { success: true, message: 'Supplier archived' };
  });
