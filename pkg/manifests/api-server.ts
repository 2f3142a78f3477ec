import type { NestedAPIServer } from '#apis';
import type { Deployment, NetworkPolicy } from '#kube';
import { apiServerArguments, apiServerPort, paths, shutdownDelaySeconds } from './api-server-arguments.ts';
import { imageFor } from './component-versions.ts';
import { deployment } from './deployment.ts';
import { etcdPorts } from './etcd-layout.ts';
import { clusterApiPods, componentPods, dns, networkPolicy, providerPods, tcp, tenantPods } from './network-policy.ts';
import type { IngressRule } from './network-policy.ts';
import { labelsOf, type PlaneIdentity } from './plane-identity.ts';
import { podTemplate } from './pod-template.ts';
import { livenessProbe, readinessProbe, startupProbe, type ProbeTarget } from './probes.ts';
import { authorityFile, keyPairFiles, readOnlyMount, secretVolume, type SecretFiles } from './secret-files.ts';

/** What the API server's objects are made from. */
export interface APIServerInput {
  readonly apiServer: NestedAPIServer;
  readonly identity: PlaneIdentity;
  readonly configHash: string;
  /** Where the provider runs; default `capn-system`. */
  readonly systemNamespace?: string;
}

/** The API server's objects; its Service is the control plane's (see {@link renderAPIServerService}). */
export interface APIServerObjects {
  readonly deployment: Deployment;
  readonly networkPolicy: NetworkPolicy;
}

/** Renders the kube-apiserver of one control plane. */
export function renderAPIServer(input: APIServerInput): APIServerObjects {
  const { apiServer, identity } = input;
  return {
    deployment: deployment({
      name: identity.names.apiServer,
      identity,
      program: 'kube-apiserver',
      replicas: apiServer.spec.replicas,
      template: template(input),
    }),
    networkPolicy: policy(input),
  };
}

/** Requests in flight get a minute (`--request-timeout`), after the delay; the rest is slack. */
const terminationGracePeriodSeconds = shutdownDelaySeconds + 60 + 5;

const health = (path: string): ProbeTarget => ({ path, port: 'api', scheme: 'HTTPS' });

function template({ apiServer, identity, configHash }: APIServerInput) {
  const { spec } = apiServer;
  return podTemplate({
    labels: labelsOf(identity, 'kube-apiserver'),
    version: spec.version,
    configHash,
    settings: spec,
    requests: { cpu: '100m', memory: '320Mi' },
    // The program in the official image carries this capability. Without it in the bounding set the kernel refuses to
    // start such a program at all (execve: EPERM), though nothing here needs a port below 1024.
    capabilities: ['NET_BIND_SERVICE'],
    volumes: [secretVolume('pki', secretsOf(identity, spec.etcd.clientSecretName))],
    pod: { terminationGracePeriodSeconds },
    container: {
      name: 'kube-apiserver',
      image: imageFor('kube-apiserver', spec.version, spec),
      command: ['/usr/local/bin/kube-apiserver'],
      args: apiServerArguments(apiServer),
      env: [{ name: 'POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } }],
      ports: [{ name: 'api', containerPort: apiServerPort, protocol: 'TCP' }],
      startupProbe: startupProbe(health('/livez')),
      // Without etcd: restarting API servers does not bring etcd back, it only adds their start to the outage.
      livenessProbe: livenessProbe(health('/livez?exclude=etcd')),
      readinessProbe: readinessProbe(health('/readyz')),
      volumeMounts: [readOnlyMount('pki', paths.pki)],
    },
  });
}

/** The keys of the tenant's authorities stay out: the API server only verifies. */
function secretsOf({ names: { secrets } }: PlaneIdentity, etcdClientSecretName: string): readonly SecretFiles[] {
  return [
    authorityFile(secrets.ca, 'ca'),
    keyPairFiles(secrets.apiServerServing, 'serving'),
    keyPairFiles(etcdClientSecretName, 'etcd-client', true),
    keyPairFiles(secrets.apiServerKubeletClient, 'kubelet-client', true),
    authorityFile(secrets.frontProxyCA, 'front-proxy-ca'),
    keyPairFiles(secrets.frontProxyClient, 'front-proxy-client'),
    keyPairFiles(secrets.serviceAccount, 'service-account'),
  ];
}

/**
 * In: as {@link ingress} says. Out: etcd, the tenant's own pods (webhooks, aggregated API servers), the provider's
 * namespace (the gateway, which stands for kubelets), DNS.
 */
function policy(input: APIServerInput): NetworkPolicy {
  const { identity, systemNamespace } = input;
  return networkPolicy({
    name: identity.names.apiServer,
    identity,
    program: 'kube-apiserver',
    ingress: [ingress(input)],
    egress: [
      { to: [componentPods(identity, 'etcd')], ports: tcp(etcdPorts.client) },
      { to: [tenantPods(identity), providerPods(systemNamespace)] },
      dns,
    ],
  });
}

/**
 * Who may connect. With a Service of type ClusterIP: this control plane's controller manager, the tenant's own pods, the
 * provider, and Cluster API's controllers. People come by port-forward, which enters through the kubelet and meets no
 * policy; other clients in super need their namespace labelled, or a NetworkPolicy of their own that opens the port.
 *
 * NodePort and LoadBalancer are asked for to be reached from outside, and their traffic comes from addresses nobody
 * knows beforehand (clients, nodes, load balancers), so the port is open to all then. The trade: any pod in super can
 * open a connection and try its luck at TLS client authentication and tokens, like anybody on the network can with
 * other clusters' public endpoints. Who wants both narrows it at the load balancer (annotations of the Service).
 */
function ingress({ apiServer, identity, systemNamespace }: APIServerInput): IngressRule {
  const ports = tcp(apiServerPort);
  if (apiServer.spec.service.type !== 'ClusterIP') return { ports };
  const controllerManager = componentPods(identity, 'kube-controller-manager');
  return { from: [controllerManager, tenantPods(identity), providerPods(systemNamespace), clusterApiPods], ports };
}
