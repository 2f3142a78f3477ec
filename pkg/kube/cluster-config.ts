/**
 * How to reach one API server and as whom. Plain data, PEM texts as text (not base64), plus `reload` where the data
 * can go stale.
 */
export interface ClusterConfig {
  /** URL of the server, with a path if the server stands behind one: `https://10.0.0.1:6443`. */
  readonly server: string;
  /** PEM of the authorities that may sign the server's certificate; default: Node's own list. */
  readonly caData?: string;
  /** PEM of our client certificate (and its chain); goes with `keyData`. */
  readonly certData?: string;
  readonly keyData?: string;
  /** Bearer token. */
  readonly token?: string;
  /** Name expected in the server's certificate, where it is not the one in `server`. */
  readonly tlsServerName?: string;
  /** Accept any server certificate; default false. */
  readonly skipTlsVerify?: boolean;
  /** URL of an HTTP proxy to go through. */
  readonly proxyUrl?: string;
  /** User to act as, by Kubernetes impersonation. */
  readonly impersonateUser?: string;
  /** Namespace of the kubeconfig's context, for command line tools. */
  readonly namespace?: string;
  /**
   * Reads the credentials again from where they came from. A client calls it once a minute, and at once when the server
   * refuses the credentials (401) or its certificate cannot be verified; so rotated credentials need no restart.
   */
  readonly reload?: () => Promise<ClusterConfig>;
}
