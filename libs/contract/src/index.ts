export { type App, type AppName, appNames, apps, serviceOf, topicOf } from './apps.ts';
export { scaled, twoDecimals, unscaled } from './decimal.ts';
export {
  type Access,
  type AnswerExample,
  type Answers,
  answersOf,
  type Endpoint,
  type EventKind,
  endpoints,
  eventKinds,
  messageType,
  type Refusal,
  type Resource,
  type Role,
  refusals,
  resources,
  type Verb,
} from './endpoints.ts';
export { fieldsOfScope } from './fields-of-scope.ts';
export { grpcDefinitions, messageOptions, optionsOf, protoDir, protoFiles, root } from './load.ts';
export { type Holds, type Member, renderMembers, renderMessage, renderView } from './render.ts';
export { isObject, itemsMax, messageFromBody, messageFromQuery, parseBody } from './request.ts';
export {
  type Accepted,
  amountField,
  booleanField,
  choice,
  dateField,
  type FieldErrors,
  type Fields,
  idField,
  integerField,
  moneyField,
  moneyScale,
  type Page,
  type PaginationView,
  paginationView,
  parseFields,
  parseId,
  parsePage,
  parseTimestamp,
  quantityField,
  quantityScale,
  requiredText,
  textField,
  timestampField,
} from './values.ts';
