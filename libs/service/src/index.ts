export { backupMomentCommand } from './backup-moment-command.ts';
export { bounded } from './bounded-lists.ts';
export { cappedList, cutList, listBytesMax } from './capped-list.ts';
export { actorOf, callUnit, change, type Seal, userOf } from './change.ts';
export { type AppCommand, printUsage } from './command.ts';
export {
  BadConfig,
  type Config,
  describeSettings,
  fileBytes,
  integer,
  parsedBy,
  pemFile,
  readConfig,
  refuseBadConfig,
  type Setting,
  type Settings,
  secretKeys,
  serviceSettings,
  setting,
  text,
} from './config.ts';
export { databaseUrls } from './database-urls.ts';
export { deleteOld } from './delete-old.ts';
export { demandVersion } from './demand-version.ts';
export { addressSettings, addressVariable, keysVariable, listenVariable, pairs, pairsOf } from './doors.ts';
export { kafkaAccess, kafkaSettings } from './kafka-settings.ts';
export { type Log, openLog } from './log.ts';
export { Metrics } from './metrics.ts';
export { demandNamedKeys, type NamingRows, resealApp, resealUsage } from './named-keys.ts';
export { newestOf } from './newest-of.ts';
export { readRecord } from './read-record.ts';
export { recordChange } from './record-change.ts';
export { createRecord, deleteRecord, type KeepsRecords, type Unit, updateRecord } from './records.ts';
export { surviveRejections } from './rejections.ts';
export { type Republished, republish, republishCommand, type State } from './republish.ts';
export { run } from './run.ts';
export { processSettings } from './run-process.ts';
export { measureSchema } from './schema-metrics.ts';
export { answerSeal, notCached } from './sealed-answer.ts';
export { Lifecycle, type Running, type StartOptions } from './service.ts';
export type { ConsumerDeclaration } from './start-consumer.ts';
export { commonEntities, configOf, type ServiceDeclaration, type ServiceParts, settingsOf, startService } from './start-service.ts';
export { consumeStores, StoreCopy, storeCaller, storesTable, wantsStore } from './store-copy.ts';
export { startTraces, traceSettings } from './traces.ts';
export { type AppTrust, openTrust, readServiceConfig } from './trust.ts';
export { nextAfter } from './walked-list.ts';
