/** The second store: cannabis features on, stock by location, goods sold by weight. Its products are made up. */
import { type Client, eachOf } from './client.ts';
import { atOnce, brandsNamed, type Listed, madeOnce, makeCategory, productsBySku, upsertProducts } from './upkeep.ts';

interface Flower {
  sku: string;
  name: string;
  /** Per gram. */
  price: number;
  strain: 'sativa' | 'indica' | 'hybrid' | 'cbd';
  thc: string;
  cbd: string;
  brand: string;
}

const flowers: Flower[] = [
  { sku: 'FL-001', name: 'Northern Pine', price: 9.5, strain: 'indica', thc: '21%', cbd: '0.1%', brand: 'Cedar Hill' },
  { sku: 'FL-002', name: 'Lemon Meadow', price: 8.75, strain: 'sativa', thc: '18%', cbd: '0.2%', brand: 'Cedar Hill' },
  { sku: 'FL-003', name: 'Harbour Haze', price: 10.25, strain: 'sativa', thc: '23%', cbd: '0.1%', brand: 'Lakeside' },
  { sku: 'FL-004', name: 'Maple Kush', price: 9, strain: 'hybrid', thc: '19.5%', cbd: '0.3%', brand: 'Lakeside' },
  { sku: 'FL-005', name: 'Quiet Evening', price: 7.5, strain: 'cbd', thc: '0.8%', cbd: '14%', brand: 'Cedar Hill' },
];

interface Piece {
  sku: string;
  name: string;
  price: number;
  category: string;
  /** Grams of dried cannabis that it counts as; absent: not cannabis. */
  equivalentGrams?: number;
  brand?: string;
}

const pieces: Piece[] = [
  { sku: 'PR-001', name: 'Northern Pine Pre-Roll 0.5 g', price: 6, category: 'Pre-Rolls', equivalentGrams: 0.5, brand: 'Cedar Hill' },
  { sku: 'PR-002', name: 'Harbour Haze Pre-Rolls 3 × 0.5 g', price: 16.5, category: 'Pre-Rolls', equivalentGrams: 1.5, brand: 'Lakeside' },
  { sku: 'ED-001', name: 'Raspberry Gummies 2 × 5 mg', price: 7.25, category: 'Edibles', equivalentGrams: 0.6, brand: 'Lakeside' },
  { sku: 'ED-002', name: 'Dark Chocolate Square 10 mg', price: 6.95, category: 'Edibles', equivalentGrams: 0.7, brand: 'Lakeside' },
  { sku: 'AC-001', name: 'Rolling Papers, King Size', price: 2.99, category: 'Papers & Grinders' },
  { sku: 'AC-002', name: 'Aluminium Grinder 55 mm', price: 18.5, category: 'Papers & Grinders' },
  { sku: 'AC-003', name: 'Glass Storage Jar 250 ml', price: 11.25, category: 'Storage' },
];

const tree = [
  { name: 'Cannabis', storeType: 'cannabis', leaves: ['Dried Flower', 'Pre-Rolls', 'Edibles'] },
  { name: 'Accessories', storeType: 'general', leaves: ['Papers & Grinders', 'Storage'] },
] as const;

/** The usual portions, in grams. */
const presetGrams = [1, 3.5, 7, 28];

export async function loadDispensary(staff: Client, key: Client): Promise<void> {
  await staff.patch('/settings', { settings: { province: 'Ontario', currency_code: 'CAD' } });
  const brands = await brandsNamed(staff, ['Cedar Hill', 'Lakeside']);
  await upsertProducts(key, rows(brands));
  const listed = await productsBySku(key);
  await loadTree(staff, listed);
  await loadStaffFields(staff, listed);
  await loadStock(staff, key, listed);
}

function rows(brands: Map<string, number>): object[] {
  return [
    ...flowers.map((flower) => ({
      sku: flower.sku,
      name: flower.name,
      price: flower.price,
      unit_type: 'gram',
      is_cannabis_product: true,
      strain_type: flower.strain,
      thc_content: flower.thc,
      cbd_content: flower.cbd,
      brand_id: brands.get(flower.brand),
    })),
    ...pieces.map(({ sku, name, price, equivalentGrams, brand }) => ({
      sku,
      name,
      price,
      is_cannabis_product: equivalentGrams !== undefined,
      ...(brand && { brand_id: brands.get(brand) }),
    })),
  ];
}

async function loadTree(staff: Client, listed: Map<string, Listed>): Promise<void> {
  const filed = [...flowers.map(({ sku }) => ({ sku, category: 'Dried Flower' })), ...pieces];
  for (const [position, { name, storeType, leaves }] of tree.entries()) {
    const parentId = await makeCategory(staff, { name, position, storeType });
    for (const [place, leaf] of leaves.entries()) {
      const productIds = filed.filter(({ category }) => category === leaf).map(({ sku }) => listed.get(sku)!.id);
      await makeCategory(staff, { name: leaf, parentId, position: place, storeType, productIds });
    }
  }
}

async function loadStaffFields(staff: Client, listed: Map<string, Listed>): Promise<void> {
  await eachOf(flowers, atOnce, ({ sku, price }) =>
    staff.patch(`/products/${listed.get(sku)!.id}`, {
      product: {
        equivalent_grams: 1,
        weight_presets: presetGrams.map((weight, index) => ({
          weight,
          label: `${weight} g`,
          barcode: `${sku}-${index + 1}`,
          price: (price * weight).toFixed(2),
        })),
      },
    }),
  );
  const counted = pieces.filter(({ equivalentGrams }) => equivalentGrams !== undefined);
  await eachOf(counted, atOnce, ({ sku, equivalentGrams }) =>
    staff.patch(`/products/${listed.get(sku)!.id}`, { product: { equivalent_grams: equivalentGrams } }),
  );
}

/** A delivery to each place; a product that has stock has had it. */
async function loadStock(staff: Client, key: Client, listed: Map<string, Listed>): Promise<void> {
  const [floor, back] = await madeOnce(staff, 'warehouse_location', [
    { name: 'Sales floor', kind: 'floor' },
    { name: 'Vault', kind: 'back' },
  ]);
  const empty = [...listed.values()].filter((product) => product.current_stock === 0);
  await eachOf(empty, atOnce, async ({ id, sku }) => {
    const byWeight = flowers.some((flower) => flower.sku === sku);
    const receive = (quantity: number, location: number) =>
      key.post('/stock_adjustments', {
        product_id: id,
        adjustment_type: 'receive',
        quantity_change: quantity,
        warehouse_location_id: location,
        reason: 'Opening stock',
      });
    await receive(byWeight ? 112.5 : 20, floor!);
    await receive(byWeight ? 450.25 : 60, back!);
  });
}
