import type { ListBrandsRequest__Output } from '@store/protos/catalog/v1/ListBrandsRequest.ts';
import type { ListBrandsResponse } from '@store/protos/catalog/v1/ListBrandsResponse.ts';
import type { Call } from '@store/rpc';
import type { Catalog } from '../catalog.ts';
import { type BrandRow, brandView } from './brand.ts';

/** Lists that are not paginated are capped (decision D44). */
const brandsMax = 500;

/** GET /brands: all brands sorted by name, as products are: by code point. */
export async function listBrands(app: Catalog, _request: ListBrandsRequest__Output, { caller }: Call): Promise<ListBrandsResponse> {
  const rows = await app.db.read<BrandRow>(
    'brands',
    `select id, name, description from catalog.brands where store_id = $1 order by name collate "C", id limit ${brandsMax}`,
    [caller.storeId],
  );
  return { brands: rows.map(brandView) };
}
