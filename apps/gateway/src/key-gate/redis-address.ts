/** Parses REDIS_URL. A file of its own, so that a gateway without Redis does not load the client, a quarter of all modules. */

export interface RedisAddress {
  /** redis[s]://user:password@host:port, or redis[s]+cluster:// with one or more host:port of a cluster's servers. */
  url: string;
  /** PEM of the authority that signed Redis's certificate; absent: the authorities that Node trusts. */
  ca?: string | undefined;
}

export const clusterUrl = /^(rediss?)\+cluster:\/\/(?:([^@/:,]*)(?::([^@/]*))?@)?([^@/]+)\/?$/;

export function isCluster(url: string): boolean {
  return clusterUrl.test(url);
}
