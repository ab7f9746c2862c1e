export type { PagedList } from './answer-lists.ts';
export {
  type App,
  type AppName,
  appNames,
  apps,
  appsBeforeStore,
  appsByStore,
  callersOf,
  type Door,
  doorsOf,
  groupsOf,
  type ServiceName,
  serviceNames,
  serviceOf,
  topicOf,
  topics,
} from './apps.ts';
export { type Deprecation, deprecationHeaders, deprecationOf } from './deprecation.ts';
export { encodeView } from './encode.ts';
export {
  type Access,
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
  rankOfRole,
  refusals,
  resources,
} from './endpoints.ts';
export { fieldsOfScope } from './fields-of-scope.ts';
export { grpcDefinition } from './grpc-definitions.ts';
export { declared, fieldsInOrder, messageOptions, optionsOf, protoDir, protoFiles, root } from './load.ts';
export { including } from './on-request.ts';
export { type Holds, itemsOf, listName, type Member, renderMembers, renderMessage, renderView } from './render.ts';
export { innerFields, isObject, itemsMax, messageFromBody, messageFromQuery, parseBody } from './request.ts';
export { costsScope, fullSettingsScope, isScope, type Scope, scopes, scopeTexts } from './scopes.ts';
export { ignoredFields, unknownParameters } from './unknown-fields.ts';
export { versionOf } from './version.ts';
