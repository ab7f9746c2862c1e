import { Badge } from '@mantine/core';
import type { Schemas } from '../api/gen/api.js';
import { numberText, t } from '../language/t.ts';

/** The stock, and whether it is at or below the product's threshold. */
export function StockBadge({ of }: { of: Pick<Schemas['Product'], 'current_stock' | 'low_stock_threshold'> }) {
  const { current_stock: stock, low_stock_threshold: threshold } = of;
  if (stock <= 0) return <Badge color="red">{numberText(stock)}</Badge>;
  if (threshold !== undefined && stock <= threshold) return <Badge color="yellow">{t('{stock} low', { stock: numberText(stock) })}</Badge>;
  return <span className="numeric">{numberText(stock)}</span>;
}
