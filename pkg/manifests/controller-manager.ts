import type { NestedControllerManager } from '#apis';
import type { Deployment, NetworkPolicy } from '#kube';
import { apiServerPort } from './api-server-arguments.ts';
import { renderArguments } from './arguments.ts';
import { imageFor } from './component-versions.ts';
import { controllersArgument } from './controllers.ts';
import { deployment } from './deployment.ts';
import { componentPods, dns, networkPolicy, providerPods, tcp } from './network-policy.ts';
import { labelsOf, type PlaneIdentity } from './plane-identity.ts';
import { podTemplate } from './pod-template.ts';
import { livenessProbe, readinessProbe, startupProbe, type ProbeTarget } from './probes.ts';
import { authorityFile, readOnlyMount, secretVolume, type SecretFiles } from './secret-files.ts';

/** What the controller manager's objects are made from. */
export interface ControllerManagerInput {
  readonly controllerManager: NestedControllerManager;
  readonly identity: PlaneIdentity;
  readonly configHash: string;
  /** Where the provider runs; default `capn-system`. */
  readonly systemNamespace?: string;
}

/** The controller manager's objects. */
export interface ControllerManagerObjects {
  readonly deployment: Deployment;
  readonly networkPolicy: NetworkPolicy;
}

/** Renders the kube-controller-manager of one control plane. */
export function renderControllerManager(input: ControllerManagerInput): ControllerManagerObjects {
  const { controllerManager, identity } = input;
  return {
    deployment: deployment({
      name: identity.names.controllerManager,
      identity,
      program: 'kube-controller-manager',
      replicas: controllerManager.spec.replicas,
      template: template(input),
    }),
    networkPolicy: policy(input),
  };
}

const port = 10257;
const folder = '/etc/kubernetes/controller-manager';
const file = (path: string) => `${folder}/${path}`;
const health: ProbeTarget = { path: '/healthz', port: 'https', scheme: 'HTTPS' };

function template({ controllerManager, identity, configHash }: ControllerManagerInput) {
  const { spec } = controllerManager;
  return podTemplate({
    labels: labelsOf(identity, 'kube-controller-manager'),
    version: spec.version,
    configHash,
    settings: spec,
    requests: { cpu: '25m', memory: '96Mi' },
    volumes: [secretVolume('config', secretsOf(identity, spec.kubeconfigSecretName))],
    container: {
      name: 'kube-controller-manager',
      image: imageFor('kube-controller-manager', spec.version, spec),
      command: ['/usr/local/bin/kube-controller-manager'],
      args: renderArguments({ ...accessArguments(), ...keyArguments(), ...controllerArguments() }, spec.extraArgs),
      ports: [{ name: 'https', containerPort: port, protocol: 'TCP' }],
      startupProbe: startupProbe(health),
      livenessProbe: livenessProbe(health),
      readinessProbe: readinessProbe(health),
      volumeMounts: [readOnlyMount('config', folder)],
    },
  });
}

/** It signs certificate requests, so it alone of the pods holds the key of the tenant's authority. */
function secretsOf({ names: { secrets } }: PlaneIdentity, kubeconfigSecretName: string): readonly SecretFiles[] {
  return [
    { secretName: kubeconfigSecretName, files: { value: 'kubeconfig' } },
    { secretName: secrets.ca, files: { 'tls.crt': 'ca/ca.crt', 'tls.key': 'ca/ca.key' } },
    authorityFile(secrets.frontProxyCA, 'front-proxy-ca'),
    { secretName: secrets.serviceAccount, files: { 'tls.key': 'service-account/tls.key' } },
  ];
}

/** All three kubeconfigs are the tenant's: without the latter two it would ask the super cluster who its callers are. */
function accessArguments() {
  const kubeconfig = file('kubeconfig');
  return {
    kubeconfig,
    'authentication-kubeconfig': kubeconfig,
    'authorization-kubeconfig': kubeconfig,
    'client-ca-file': file('ca/ca.crt'),
    'requestheader-client-ca-file': file('front-proxy-ca/ca.crt'),
  };
}

function keyArguments() {
  return {
    'root-ca-file': file('ca/ca.crt'),
    'cluster-signing-cert-file': file('ca/ca.crt'),
    'cluster-signing-key-file': file('ca/ca.key'),
    'service-account-private-key-file': file('service-account/tls.key'),
  };
}

function controllerArguments() {
  return {
    'use-service-account-credentials': 'true',
    // With one replica too: while it is replaced, two run for a moment.
    'leader-elect': 'true',
    controllers: controllersArgument(),
  };
}

/** In: metrics for the provider. Out: the tenant's API server and DNS. */
function policy({ identity, systemNamespace }: ControllerManagerInput): NetworkPolicy {
  return networkPolicy({
    name: identity.names.controllerManager,
    identity,
    program: 'kube-controller-manager',
    ingress: [{ from: [providerPods(systemNamespace)], ports: tcp(port) }],
    egress: [{ to: [componentPods(identity, 'kube-apiserver')], ports: tcp(apiServerPort) }, dns],
  });
}
