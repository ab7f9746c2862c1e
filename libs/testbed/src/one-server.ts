import { serversOf } from './citus-nodes.ts';

/** Whether TEST_DATABASE_URL names the coordinator of a Citus cluster. */
export const isCluster = (await serversOf(process.env.TEST_DATABASE_URL!)).length > 1;
