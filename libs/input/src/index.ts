export { type Acceptance, acceptBody, acceptor, refuseErrors, type Shape, sent } from './accept.ts';
export { aboveZero, atMost, endField, filled } from './bounds.ts';
export { cursorOf, type Mark } from './cursor.ts';
export {
  cents,
  costScale,
  moneyMax,
  moneyScale,
  moneyText,
  quantityMax,
  quantityScale,
  quantityText,
  rounded,
  scaled,
  shortened,
  thousandths,
  twoDecimals,
  unitsOf,
  unscaled,
} from './decimal.ts';
export { emailMax, isEmail } from './email.ts';
export { idList, wasSent } from './id-list.ts';
export { digitsOf, isCountry, phoneNumberOf, soughtDigits, writtenDigits } from './phone.ts';
export {
  type Accepted,
  amountField,
  booleanField,
  choice,
  costField,
  dateField,
  dateIn,
  externalIdField,
  type FieldErrors,
  type Fields,
  idField,
  integerField,
  moneyField,
  type Page,
  type PaginationView,
  paginationView,
  parseFields,
  parseId,
  parsePage,
  parseTimestamp,
  quantityField,
  requiredText,
  signedMoneyField,
  soughtExternalId,
  textField,
  timestampField,
  urlField,
} from './values.ts';
