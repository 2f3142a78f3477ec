import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { controllersOff, renderControllerManager } from './index.ts';
import { expectGolden } from './test-golden.ts';
import { allSettings, nestedControllerManager, planeIdentity } from './test-inputs.ts';

const render = (controllerManager = nestedControllerManager()) =>
  renderControllerManager({ controllerManager, identity: planeIdentity(), configHash: 'c0ffee' });
const podOf = (objects = render()) => objects.deployment.spec?.template.spec;

describe('renderControllerManager', () => {
  it('renders what the golden file shows', async () => {
    const { deployment, networkPolicy } = render();
    await expectGolden('controller-manager', [deployment, networkPolicy]);
  });

  it('renders every setting as the golden file shows', async () => {
    const { deployment } = render(nestedControllerManager({ ...allSettings, replicas: 2, image: 'example.com/kcm:x' }));
    await expectGolden('controller-manager-all-settings', [deployment]);
  });

  it('signs with the authority itself, not with a leaf', () => {
    const args = podOf()?.containers[0]?.args ?? [];
    expect(args).toContain('--cluster-signing-cert-file=/etc/kubernetes/controller-manager/ca/ca.crt');
    const source = podOf()?.volumes?.[0]?.projected?.sources?.find(({ secret }) => secret?.name === 'team-a-ca');
    expect(source?.secret?.items).toContainEqual({ key: 'tls.crt', path: 'ca/ca.crt' });
    expect(source?.secret?.items).toContainEqual({ key: 'tls.key', path: 'ca/ca.key' });
  });

  it("asks the tenant, not the super cluster, in all three of its clients' roles", () => {
    const args = podOf()?.containers[0]?.args ?? [];
    for (const name of ['kubeconfig', 'authentication-kubeconfig', 'authorization-kubeconfig']) {
      expect(args).toContain(`--${name}=/etc/kubernetes/controller-manager/kubeconfig`);
    }
  });
});

describe('controllersOff', () => {
  it('names controllers that there are: the program refuses to start with an unknown one', async () => {
    const known = await readFile(new URL('testdata/controllers-v1.36.txt', import.meta.url), 'utf8');
    const unknown = Object.keys(controllersOff).filter((name) => !known.split('\n').includes(name));
    expect(unknown).toEqual([]);
  });

  it('switches off exactly what it lists', () => {
    const args = podOf()?.containers[0]?.args ?? [];
    const value = args.find((argument) => argument.startsWith('--controllers='))?.slice('--controllers='.length);
    expect(value?.split(',')).toEqual(['*', ...Object.keys(controllersOff).map((name) => `-${name}`)]);
  });
});
