import { test } from '@jest/globals';
import { serversOf } from './citus-nodes.ts';

/** Whether TEST_DATABASE_URL names the coordinator of a Citus cluster. */
export const isCluster = (await serversOf(process.env.TEST_DATABASE_URL!)).length > 1;

/** A test of what one server has and a cluster has not, such as triggers, and plans of what a worker does. */
export const onOneServer = isCluster ? test.skip : test;
