export { testCaller } from './caller.ts';
export { type TestDatabase, testDatabase } from './database.ts';
export { describeWithKafka } from './kafka.ts';
export { capturingLog, logNothing } from './log.ts';
export { describeWithRedis, testRedis } from './redis.ts';
export { type EmittedEvent, type Json, problemOf, type Refusal, ServiceUnderTest, type UnderTestOptions } from './service-under-test.ts';
export { RecordingTransport } from './transport.ts';
export { testServiceKeys, testTrust } from './trust.ts';
