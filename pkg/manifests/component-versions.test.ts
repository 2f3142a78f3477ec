import { describe, expect, it } from 'vitest';
import { imageFor } from './index.ts';

describe('imageFor', () => {
  it.each([
    ['registry.k8s.io/etcd:3.6.8-0', imageFor('etcd', 'v1.36.3')],
    ['registry.k8s.io/kube-apiserver:v1.36.1', imageFor('kube-apiserver', 'v1.36.1')],
    ['m.example.com/k/etcd:3.6.8-0', imageFor('etcd', 'v1.36.3', { imageRepository: 'm.example.com/k/' })],
    ['x@sha256:1', imageFor('etcd', 'v1.36.3', { image: 'x@sha256:1', imageRepository: 'm.example.com' })],
    ['x', imageFor('etcd', 'v1.99.0', { image: 'x' })],
  ])('gives %s', (expected, image) => expect(image).toBe(expected));

  it('says which versions there are', () => {
    expect(() => imageFor('etcd', 'v1.12.0')).toThrow(/v1\.12\.0 is not supported; supported are v1\.36\.x/);
  });
});
