import { Badge } from '@mantine/core';
import type { Schemas } from '../api/gen/api.js';

/** The stock, and whether it is at or below the product's threshold. */
export function StockBadge({ of }: { of: Pick<Schemas['Product'], 'current_stock' | 'low_stock_threshold'> }) {
  const { current_stock: stock, low_stock_threshold: threshold } = of;
  if (stock <= 0) return <Badge color="red">{stock}</Badge>;
  if (threshold !== undefined && stock <= threshold) return <Badge color="yellow">{stock} low</Badge>;
  return <span className="numeric">{stock.toLocaleString('en')}</span>;
}
