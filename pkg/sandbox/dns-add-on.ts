import { bindClusterRole, deployment } from './add-on-objects.ts';
import { addresses } from './addresses.ts';
import { sandboxImages } from './image-names.ts';

const dnsLabels = { 'k8s-app': 'kube-dns' };
const dnsName = { name: 'coredns', namespace: 'kube-system' };

/** There is no way out of a sandbox, so names outside the cluster are not forwarded: they are refused at once. */
const corefile = `.:53 {
    errors
    health {
       lameduck 1s
    }
    ready
    kubernetes ${addresses.clusterDomain} in-addr.arpa ip6.arpa {
       pods insecure
       fallthrough in-addr.arpa ip6.arpa
       ttl 5
    }
    cache 5
    loadbalance
}
`;

/** CoreDNS at the address that the kubelet tells pods. */
export function dnsObjects(): object[] {
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: dnsName },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: dnsName, data: { Corefile: corefile } },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'system:coredns' },
      rules: [
        { apiGroups: [''], resources: ['services', 'pods', 'namespaces'], verbs: ['list', 'watch'] },
        { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: ['list', 'watch'] },
      ],
    },
    bindClusterRole('system:coredns', dnsName),
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'kube-dns', namespace: 'kube-system', labels: dnsLabels },
      spec: {
        clusterIP: addresses.dns,
        selector: dnsLabels,
        ports: [
          { name: 'dns', port: 53, protocol: 'UDP', targetPort: 53 },
          { name: 'dns-tcp', port: 53, protocol: 'TCP', targetPort: 53 },
        ],
      },
    },
    dnsDeployment(),
  ];
}

function dnsDeployment(): object {
  const container = {
    name: 'coredns',
    image: sandboxImages.coredns,
    imagePullPolicy: 'IfNotPresent',
    args: ['-conf', '/etc/coredns/Corefile'],
    resources: { requests: { cpu: '50m', memory: '50Mi' }, limits: { memory: '170Mi' } },
    volumeMounts: [{ name: 'config', mountPath: '/etc/coredns', readOnly: true }],
    ports: [
      { containerPort: 53, name: 'dns', protocol: 'UDP' },
      { containerPort: 53, name: 'dns-tcp', protocol: 'TCP' },
    ],
    readinessProbe: { httpGet: { path: '/ready', port: 8181 }, periodSeconds: 2 },
    livenessProbe: { httpGet: { path: '/health', port: 8080 }, initialDelaySeconds: 30 },
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { add: ['NET_BIND_SERVICE'], drop: ['ALL'] },
      readOnlyRootFilesystem: true,
    },
  };
  return deployment(dnsName, dnsLabels, {
    priorityClassName: 'system-cluster-critical',
    serviceAccountName: dnsName.name,
    dnsPolicy: 'Default',
    containers: [container],
    volumes: [{ name: 'config', configMap: { name: dnsName.name } }],
  });
}
