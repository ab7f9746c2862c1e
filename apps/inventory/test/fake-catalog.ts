import type { ApplyStockRequest } from '@store/protos/catalog/v1.ts';
import type { Caller } from '@store/rpc';
import type { CatalogRpcs } from '../src/inventory.ts';

export interface FakeProduct {
  storeId: number;
  name: string;
  sku?: string;
  productType?: string;
  hasVariations?: boolean;
  price?: string;
}

type Request<Rpc extends keyof CatalogRpcs> = Parameters<CatalogRpcs[Rpc]>[0];
type Asked = { caller: Caller };

/** A catalogue in memory: as much of it as inventory asks for. */
export class FakeCatalog implements CatalogRpcs {
  readonly products = new Map<number, FakeProduct>();
  /** What inventory handed over, in order. */
  readonly applied: ApplyStockRequest[] = [];
  /** How long catalog had for the last of it. */
  appliedWithinMs = 0;
  asked = 0;
  isDown = false;
  /** Answers wait for it. */
  answers: Promise<void> = Promise.resolve();
  isDeaf = false;

  async GetStockProducts({ ids = [] }: Request<'GetStockProducts'>, { caller }: Asked): ReturnType<CatalogRpcs['GetStockProducts']> {
    this.asked += 1;
    if (this.isDown) throw new Error('catalog is down');
    await this.answers;
    const products = ids.map(Number).flatMap((id) => {
      const product = this.products.get(id);
      if (product?.storeId !== caller.storeId) return [];
      const { name, sku, productType: product_type = 'simple', hasVariations: has_variations = false, price = '1.00' } = product;
      return [{ id: String(id), name, ...(sku && { sku }), product_type, has_variations, price }];
    });
    return { products };
  }

  async ApplyStock(request: ApplyStockRequest, { deadlineMs }: { deadlineMs: number }): ReturnType<CatalogRpcs['ApplyStock']> {
    if (this.isDeaf) throw new Error('catalog does not listen');
    this.appliedWithinMs = deadlineMs - Date.now();
    this.applied.push(request);
    return { applied: request.levels?.length ?? 0 };
  }

  async SetPrice({ product_ids = [], price = '' }: Request<'SetPrice'>, { caller }: Asked): ReturnType<CatalogRpcs['SetPrice']> {
    const changes = product_ids.flatMap((wanted) => {
      const product = this.products.get(Number(wanted));
      if (product?.storeId !== caller.storeId) return [];
      const old = product.price ?? '1.00';
      product.price = price;
      return [{ product_id: String(wanted), old_price: old, new_price: price }];
    });
    return { changes };
  }
}
