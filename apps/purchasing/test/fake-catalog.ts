import type { ReceivedProduct, StockProduct__Output } from '@store/protos/catalog/v1.ts';
import type { Caller } from '@store/rpc';
import type { CatalogRpcs } from '../src/purchasing.ts';

export interface FakeProduct {
  storeId: number;
  name: string;
  sku?: string;
  unitType?: string;
  hasVariations?: boolean;
}

type Request<Rpc extends keyof CatalogRpcs> = Parameters<CatalogRpcs[Rpc]>[0];
type Asked = { caller: Caller };

/** A catalogue in memory: as much of it as purchasing asks for. */
export class FakeCatalog implements CatalogRpcs {
  readonly products = new Map<number, FakeProduct>();
  /** Products that were made of lines, by the line's id. */
  readonly productIds = new Map<number, number>();
  isDown = false;
  /** Called with every question, before it is answered. */
  onAsked: () => Promise<void> = async () => undefined;

  async GetStockProducts({ ids = [] }: Request<'GetStockProducts'>, { caller }: Asked): ReturnType<CatalogRpcs['GetStockProducts']> {
    await this.#asked();
    const own = ids.map(Number).filter((id) => this.products.get(id)?.storeId === caller.storeId);
    return { products: own.map((id) => this.#view(id)) };
  }

  async CreateReceivedProducts({ lines = [] }: Request<'CreateReceivedProducts'>, { caller }: Asked) {
    await this.#asked();
    return {
      products: lines.map((line) => ({ line_id: String(line.line_id), product: this.#view(this.#productOf(line, caller.storeId)) })),
    };
  }

  async #asked(): Promise<void> {
    await this.onAsked();
    if (this.isDown) throw new Error('catalog is down');
  }

  #productOf({ line_id, name = '', sku, unit_type }: ReceivedProduct, storeId: number): number {
    const lineId = Number(line_id);
    const bySku = [...this.products].find(([, product]) => product.storeId === storeId && sku && product.sku === sku)?.[0];
    const id = this.productIds.get(lineId) ?? bySku ?? Math.max(1000, ...this.products.keys()) + 1;
    this.productIds.set(lineId, id);
    if (!this.products.has(id)) this.products.set(id, { storeId, name, ...(sku && { sku }), ...(unit_type && { unitType: unit_type }) });
    return id;
  }

  #view(id: number): StockProduct__Output {
    const { name, sku, unitType: unit_type = 'unit', hasVariations: has_variations = false } = this.products.get(id)!;
    return { id: String(id), name, ...(sku && { sku }), product_type: 'simple', has_variations, price: '1.00', unit_type };
  }
}
