import { expect, test } from 'vitest';
import { objectPath, resourcePath, withQuery } from './resource-path.ts';
import { resources } from './resource-types.ts';

test.each([
  [{ type: resources.pods }, '/api/v1/pods'],
  [{ type: resources.pods, namespace: 'a' }, '/api/v1/namespaces/a/pods'],
  [{ type: resources.pods, namespace: 'a', name: 'b', subresource: 'status' }, '/api/v1/namespaces/a/pods/b/status'],
  [{ type: resources.deployments, namespace: 'a', name: 'b' }, '/apis/apps/v1/namespaces/a/deployments/b'],
  [{ type: resources.nodes, name: 'n' }, '/api/v1/nodes/n'],
  [{ type: resources.nodes, namespace: 'ignored', name: 'n' }, '/api/v1/nodes/n'],
])('%j is %s', (target, path) => {
  expect(resourcePath(target)).toBe(path);
});

test('names of RBAC objects keep their case, and signs are escaped', () => {
  const path = objectPath(resources.clusterRoles, { name: 'system:My?Role#x' });
  expect(path).toBe('/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3AMy%3FRole%23x');
});

test.each(['', '.', '..', 'a/b', '../b', 'a%2fb'])('%j is refused as name, namespace and subresource', (text) => {
  const refusal = expect.objectContaining({ code: 'INVALID' }) as Error;
  expect(() => objectPath(resources.pods, { namespace: 'a', name: text })).toThrow(refusal);
  expect(() => objectPath(resources.pods, { namespace: text, name: 'a' })).toThrow(refusal);
  expect(() => objectPath(resources.pods, { namespace: 'a', name: 'a' }, text)).toThrow(refusal);
});

test('only set parameters make the query, escaped', () => {
  expect(withQuery('/a', { b: undefined })).toBe('/a');
  expect(withQuery('/a', { b: 'x in (y,z)&c=d', n: 0, t: true })).toBe('/a?b=x+in+%28y%2Cz%29%26c%3Dd&n=0&t=true');
});
