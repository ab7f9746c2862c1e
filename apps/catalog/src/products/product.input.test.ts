/** What clients may write of a product. */
import { testDocumentedBounds, testStaff } from '@store/testbed';
import { acceptProduct } from './product.input.ts';

const staff = testStaff();

testDocumentedBounds('store.catalog.v1.ProductInput', (sent) => acceptProduct(sent as never, staff).errors);
