import { t } from '../language/t.ts';
import { quantityText, readQuantity } from './quantity.ts';
import { TypedField, type TypedFieldProps } from './typed-field.tsx';

interface QuantityFieldProps extends TypedFieldProps {
  /** Text: it is no quantity. */
  value: number | string;
  onQuantity: (quantity: number | string) => void;
  /** Takes what is below zero too. */
  signed?: boolean;
  /** Takes no decimals. */
  whole?: boolean;
}

/** Takes a quantity as people type it. */
export function QuantityField({ value, onQuantity, signed = false, whole = false, ...rest }: QuantityFieldProps) {
  const read = (text: string) => {
    const quantity = readQuantity(text);
    const isTaken = quantity !== undefined && (signed || quantity >= 0) && !(whole && !Number.isInteger(quantity));
    return isTaken ? quantity : undefined;
  };
  return <TypedField {...rest} value={value} show={quantityText} read={read} fault={t('This is not a quantity')} onRead={onQuantity} />;
}
