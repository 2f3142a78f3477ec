import { join } from 'node:path';
import type { Program } from './binaries.ts';
import { sandboxImages } from './image-names.ts';
import type { ImageFile } from './image-tar.ts';
import type { ImageSpec } from './image.ts';

/**
 * The images of a sandbox, built around static programs at the paths that usual manifests call.
 */
export function imageSpecs(paths: Readonly<Record<Program, string>>, applets: readonly string[]): ImageSpec[] {
  const program = (name: Program, folder = '/usr/local/bin'): ImageFile => ({
    kind: 'copy',
    path: join(folder, name),
    from: paths[name],
  });
  const tmp: ImageFile = { kind: 'folder', path: '/tmp', mode: 0o1777 };
  return [
    // Published as 3.10 too, which is what people's examples name.
    {
      tags: [sandboxImages.pause, 'registry.k8s.io/pause:3.10'],
      layers: [[program('pause', '/')]],
      entrypoint: ['/pause'],
      user: '65535:65535',
    },
    { tags: [sandboxImages.coredns], layers: [[program('coredns', '/')]], entrypoint: ['/coredns'] },
    {
      tags: [sandboxImages.localPathProvisioner],
      layers: [[program('local-path-provisioner', '/usr/bin'), tmp]],
      entrypoint: ['/usr/bin/local-path-provisioner'],
    },
    { tags: [sandboxImages.busybox], layers: [[...busyboxFiles(applets), tmp]], command: ['sh'] },
    {
      tags: [sandboxImages.etcd],
      layers: [[program('etcd'), program('etcdctl'), program('etcdutl'), tmp]],
      entrypoint: ['/usr/local/bin/etcd'],
    },
    {
      tags: [sandboxImages.kubeControllerManager],
      layers: [[program('kube-controller-manager'), tmp]],
      entrypoint: ['/usr/local/bin/kube-controller-manager'],
    },
    {
      tags: [sandboxImages.kubeApiserver],
      layers: [[program('kube-apiserver'), tmp]],
      entrypoint: ['/usr/local/bin/kube-apiserver'],
    },
  ];
}

function busyboxFiles(applets: readonly string[]): ImageFile[] {
  const links = applets
    .filter((applet) => applet !== 'busybox')
    .map((applet) => ({ kind: 'link', path: join('/bin', applet), target: 'busybox' }) as const);
  return [{ kind: 'copy', path: '/bin/busybox', from: '/bin/busybox' }, ...links];
}
