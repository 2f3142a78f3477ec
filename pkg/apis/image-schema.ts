import type { ComponentName } from './owned-arguments.ts';
import { matching } from './rules.ts';
import { optional, string } from './schema.ts';
import { versionRows } from './versions.ts';

const host = '[a-zA-Z0-9]([a-zA-Z0-9.-]*[a-zA-Z0-9])?';
const port = ':[0-9]{1,5}';
const part = '[a-z0-9]+(([.]|_|__|-+)[a-z0-9]+)*';

/** A registry with a path, or a path alone (the grammar of distribution/reference). */
const repository = `(${host}(${port})?/)?${part}(/${part})*`;
const tag = String.raw`:[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,127}`;
const digest = '@sha256:[a-f0-9]{64}';

const [{ tested, etcdTag }] = versionRows;

/** Names of the images below a repository, each with a tag that it has. */
const images = {
  etcd: `etcd:${etcdTag}`,
  apiServer: `kube-apiserver:${tested}`,
  controllerManager: `kube-controller-manager:${tested}`,
} as const satisfies Record<ComponentName, string>;

/** Where a component's image comes from. */
export function imageSettings(component: ComponentName) {
  const example = images[component];
  return {
    image: optional(
      string({
        description: `The whole image name, tag or digest included, such as \`registry.example:5000/mirror/${example}\`; wins over \`imageRepository\`. By default the image that belongs to the Kubernetes version.`,
        maxLength: 512,
        rules: [
          matching(
            `^${repository}(${tag})?(${digest})?$`,
            `must be an image name such as registry.k8s.io/${example}: a repository of lower-case letters and digits, then a tag, a digest (@sha256:…) or both`,
          ),
        ],
      }),
    ),
    imageRepository: optional(
      string({
        description: `Registry and path that hold the images under their usual names, for mirrors, without tag and digest; default \`registry.k8s.io\`. With \`registry.example:5000/mirror\` the image is \`registry.example:5000/mirror/${example}\`.`,
        // With the longest image name below it, it stays under the 255 characters that image names may have.
        maxLength: 224,
        rules: [
          matching(
            `^(${host}(${port})?|(${host}(${port})?/)?${part}(/${part})*)/?$`,
            'must be a registry, with a path or without, such as registry.example:5000/mirror: no tag, no digest; the image name and its tag are added (image takes a whole name)',
          ),
        ],
      }),
    ),
  };
}
