/** etcd's ports: clients (TLS), members (TLS), health and metrics (plain HTTP, nothing of the data). */
export const etcdPorts = { client: 2379, peer: 2380, metrics: 2381 } as const;

const mount = '/var/lib/etcd';

/** Where things are in etcd's container. The data are in a folder below the mount: a volume's own root may hold `lost+found`. */
export const paths = { pki: '/etc/etcd/pki', mount, data: `${mount}/data` } as const;
