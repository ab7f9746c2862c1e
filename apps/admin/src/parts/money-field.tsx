import { t } from '../language/t.ts';
import { fieldText, readMoney, readUnitCost, unitCostField } from './money.ts';
import { TypedField, type TypedFieldProps } from './typed-field.tsx';

interface MoneyFieldProps extends TypedFieldProps {
  value: string;
  /** With the amount as the API takes it; with the text itself while it is no amount. */
  onText: (amount: string) => void;
  /** Takes what is below zero too. */
  signed?: boolean;
  /** Takes four decimals. */
  isUnitCost?: boolean;
}

/** Takes an amount as people type it. */
export function MoneyField({ value, onText, signed = false, isUnitCost = false, ...rest }: MoneyFieldProps) {
  const [readAmount, show] = isUnitCost ? [readUnitCost, unitCostField] : [readMoney, fieldText];
  const read = (text: string) => {
    const amount = readAmount(text);
    return !signed && amount?.startsWith('-') ? undefined : amount;
  };
  return <TypedField {...rest} value={value} show={show} read={read} fault={t('This is not an amount')} onRead={onText} />;
}
