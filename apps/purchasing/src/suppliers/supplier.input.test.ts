/** What staff may write of a supplier. */
import { testDocumentedBounds } from '@store/testbed';
import { acceptSupplier } from './supplier.ts';

testDocumentedBounds('store.purchasing.v1.SupplierInput', (sent) => acceptSupplier.create({ name: 'x', ...sent }).errors);
