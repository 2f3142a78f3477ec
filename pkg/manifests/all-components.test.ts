import { describe, expect, it } from 'vitest';
import { ownedArgumentNames, type ComponentName } from '#apis';
import { renderAPIServer, renderControllerManager, renderEtcd } from './index.ts';
import { allSettings, nestedAPIServer, nestedControllerManager, nestedEtcd, planeIdentity } from './test-inputs.ts';

const identity = planeIdentity();
const configHash = 'c0ffee';

/** Each component's workload and policy, with the given settings. */
const components = (settings: typeof allSettings = {}) => {
  const etcd = renderEtcd({ etcd: nestedEtcd(settings), identity, configHash });
  const apiServer = renderAPIServer({ apiServer: nestedAPIServer(settings), identity, configHash });
  const controllerManager = nestedControllerManager(settings);
  const manager = renderControllerManager({ controllerManager, identity, configHash });
  return [
    { component: 'etcd', workload: etcd.statefulSet, policy: etcd.networkPolicy },
    { component: 'apiServer', workload: apiServer.deployment, policy: apiServer.networkPolicy },
    { component: 'controllerManager', workload: manager.deployment, policy: manager.networkPolicy },
  ] as const;
};

describe.each(components())('$component', ({ component, workload, policy }) => {
  const template = workload.spec?.template;
  const pod = template?.spec;
  const container = pod?.containers[0];

  it('passes Pod Security restricted', () => {
    expect(pod?.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: expect.any(Number),
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(pod?.containers).toHaveLength(1);
    const { capabilities, ...context } = container?.securityContext ?? {};
    expect(context).toEqual({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true });
    expect(capabilities?.drop).toEqual(['ALL']);
    // The one capability that `restricted` lets a container add.
    expect((capabilities?.add ?? []).filter((name) => name !== 'NET_BIND_SERVICE')).toEqual([]);
  });

  it('shares nothing with its node and gets no token of the super cluster', () => {
    expect(pod).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false });
    for (const field of ['hostNetwork', 'hostPID', 'hostIPC', 'serviceAccountName'])
      expect(pod).not.toHaveProperty(field);
    expect(pod?.volumes?.filter((volume) => volume.hostPath !== undefined)).toEqual([]);
  });

  it('is asked for its health at the address of the pod, on a port that it has', () => {
    const ports = container?.ports?.map(({ name }) => name);
    for (const probe of [container?.startupProbe, container?.livenessProbe, container?.readinessProbe]) {
      expect(probe?.httpGet).not.toHaveProperty('host');
      expect(ports).toContain(probe?.httpGet?.port);
    }
  });

  it('selects its pods by labels that never change', () => {
    const selector = workload.spec?.selector.matchLabels ?? {};
    expect(Object.keys(selector).sort()).toEqual(['app.kubernetes.io/component', 'app.kubernetes.io/instance']);
    expect(template?.metadata?.labels).toMatchObject(selector);
    expect(policy.spec?.podSelector?.matchLabels).toEqual(selector);
  });

  it('carries the hash that replaces pods and the version that they run, neither of them in the selector', () => {
    expect(template?.metadata?.annotations).toEqual({ 'tenancy.x-k8s.io/config-hash': configHash });
    expect(template?.metadata?.labels?.['app.kubernetes.io/version']).toBe('v1.36.3');
  });

  it('sets arguments that users may not give, or that the last one wins', () => {
    const own = (container?.args ?? []).map((argument) => /^--([a-z-]+)=/.exec(argument)?.[1] ?? argument);
    const owned = ownedArgumentNames(component satisfies ComponentName);
    const open = own.filter((name) => !owned.includes(name));
    expect(
      open.filter(
        (name) =>
          ![
            'enable-admission-plugins',
            'quota-backend-bytes',
            'shutdown-delay-duration',
            'watch-progress-notify-interval',
          ].includes(name),
      ),
    ).toEqual([]);
    expect(new Set(own).size).toBe(own.length);
  });

  it('lets nothing out to a metadata address or to addresses at large', () => {
    const blocks = (policy.spec?.egress ?? []).flatMap(({ to = [] }) =>
      to.flatMap(({ ipBlock }) => ipBlock?.cidr ?? []),
    );
    expect(blocks).toEqual(['169.254.20.10/32']);
    expect(policy.spec?.egress?.filter(({ to = [] }) => to.length === 0)).toEqual([]);
    expect(policy.spec?.policyTypes).toEqual(['Ingress', 'Egress']);
  });

  it('is written for server-side apply: no status, no owner', () => {
    expect(workload).not.toHaveProperty('status');
    expect(workload.metadata).not.toHaveProperty('ownerReferences');
    expect(JSON.stringify(workload)).not.toContain('""');
  });
});

describe.each(components(allSettings))('$component with every setting', ({ workload }) => {
  const pod = workload.spec?.template.spec;
  const container = pod?.containers[0];

  it('hands the settings on to its pods', () => {
    expect(container?.image).toMatch(/^mirror\.example\.com\/kubernetes\/(etcd:3\.6\.8-0|kube-[a-z-]+:v1\.36\.3)$/);
    expect(container?.resources).toEqual(allSettings.resources);
    expect(container?.args?.slice(-2)).toEqual(['--v=4', '--feature-gates=A=true,B=false']);
    expect(container?.env?.slice(-2)).toEqual([allSettings.extraEnv?.[0], { name: 'EMPTY' }]);
    expect(pod).toMatchObject({ imagePullSecrets: [{ name: 'mirror' }], ...allSettings.placement });
  });
});
