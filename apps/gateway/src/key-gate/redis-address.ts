/** Parses REDIS_URL. A file of its own, so that a gateway without Redis does not load the client, a quarter of all modules. */

export interface RedisAddress {
  /**
   * redis:// or, over TLS, rediss://, with the user and the password of an ACL; redis+cluster:// and
   * rediss+cluster:// with one or more host:port of a cluster's servers, separated by commas.
   */
  url: string;
  /** PEM of the authority that signed Redis's certificate; absent: the authorities that Node trusts. */
  ca?: string | undefined;
}

export const clusterUrl = /^(rediss?)\+cluster:\/\/(?:([^@/:,]*)(?::([^@/]*))?@)?([^@/]+)\/?$/;

/** Whether REDIS_URL names a cluster. */
export function isCluster(url: string): boolean {
  return clusterUrl.test(url);
}
