import type { V1Affinity, V1Toleration } from '@kubernetes/client-node';
import type { Raw } from '#kube';
import { ownedArgumentNames, type ComponentName } from './owned-arguments.ts';
import { matching } from './rules.ts';
import { int32, list, map, object, opaque, optional, quantity, string } from './schema.ts';

const imageName = matching(
  '^[a-z0-9][a-zA-Z0-9._:/@-]*$',
  'must be an image name such as registry.k8s.io/etcd, starting with a lower-case letter or digit, without spaces',
);

const extraArgument = (component: ComponentName) =>
  object(
    {
      name: string({
        description: 'The argument without leading dashes, for example `audit-log-maxage`.',
        maxLength: 64,
        rules: [
          matching(
            '^[a-z][a-z0-9-]*$',
            'must be the name of an argument without leading dashes and without =, such as audit-log-maxage: lower-case letters, digits and dashes',
          ),
        ],
      }),
      value: string({
        description: 'The value, on one line. Write `true` or `false` for switches.',
        maxLength: 1024,
        rules: [
          matching(
            String.raw`^[^\r\n\x00]*$`,
            'must be on one line; give another argument as an entry of its own in extraArgs',
          ),
        ],
      }),
    },
    {
      description: 'One command line argument, passed as `--name=value`.',
      rules: [
        {
          rule: `!(self.name in [${ownedArgumentNames(component)
            .map((name) => `'${name}'`)
            .join(', ')}])`,
          message: `this argument is set by the control plane and cannot be changed; see docs/reference/arguments.md`,
          messageExpression: `'--' + self.name + ' is set by the control plane and cannot be given as an extra argument; remove it (the whole list is in docs/reference/arguments.md)'`,
          fieldPath: '.name',
          reason: 'FieldValueForbidden',
        },
      ],
    },
  );

/** By resource name: `cpu`, `memory`, `ephemeral-storage`. */
function amounts(description: string) {
  return map(quantity({ description: 'The amount, such as 500m or 256Mi.' }), { description, maxProperties: 16 });
}

/** `resources` of a container, without what needs other objects (claims). */
const resources = object(
  {
    requests: optional(amounts('What the container is promised.')),
    limits: optional(amounts('What the container may never pass. Give none for CPU unless you must.')),
  },
  {
    description:
      'CPU and memory of the container, as in a pod. By default requests are set and there are no limits; what is given here replaces the default as a whole.',
  },
);

/** Where a component's pods may run. */
const placement = object(
  {
    nodeSelector: optional(
      map(string({ description: 'The label value.', maxLength: 63 }), {
        description: 'Labels that a node of the super cluster must carry.',
        maxProperties: 32,
      }),
    ),
    tolerations: optional(
      list(opaque<Raw<V1Toleration>>({ description: 'A toleration, as in a pod.' }), {
        description: 'Taints of super nodes that the pods tolerate.',
        kind: 'atomic',
        maxItems: 32,
      }),
    ),
    affinity: optional(opaque<Raw<V1Affinity>>({ description: 'Affinity and anti-affinity, as in a pod.' })),
    priorityClassName: optional(
      string({ description: 'PriorityClass of the super cluster for the pods.', maxLength: 253 }),
    ),
  },
  { description: "Where the component's pods may run in the super cluster. By default anywhere." },
);

/** The settings that every component takes, wherever it is described (inline or in an object of its own). */
export function componentSettings(component: ComponentName) {
  return {
    image: optional(
      string({
        description:
          'The whole image name, tag or digest included; wins over `imageRepository`. By default the image that belongs to the Kubernetes version.',
        maxLength: 512,
        rules: [imageName],
      }),
    ),
    imageRepository: optional(
      string({
        description:
          'Registry and path that hold the images under their usual names, for mirrors; default `registry.k8s.io`.',
        maxLength: 256,
        rules: [imageName],
      }),
    ),
    imagePullSecrets: optional(
      list(
        object(
          { name: string({ description: 'Name of the Secret.', minLength: 1, maxLength: 253 }) },
          { description: 'A pull Secret in the same namespace.' },
        ),
        { description: 'Secrets that hold registry credentials.', kind: 'map', keys: ['name'], maxItems: 16 },
      ),
    ),
    resources: optional(resources),
    extraArgs: optional(
      list(extraArgument(component), {
        description:
          'Further command line arguments. Each name may be given once. Arguments that the control plane sets itself are refused.',
        kind: 'map',
        keys: ['name'],
        maxItems: 64,
      }),
    ),
    extraEnv: optional(
      list(
        object(
          {
            name: string({
              description: 'Name of the variable.',
              maxLength: 128,
              rules: [
                matching(
                  '^[A-Za-z_][A-Za-z0-9_]*$',
                  'must be the name of a variable: letters, digits and underscores, not starting with a digit',
                ),
                {
                  rule: `!self.startsWith('ETCD_') && !(self in ['POD_IP', 'POD_NAME'])`,
                  message: 'ETCD_*, POD_IP and POD_NAME are set by the control plane; use extraArgs for settings',
                  reason: 'FieldValueForbidden',
                },
              ],
            }),
            value: string({ description: 'Its value.', maxLength: 1024 }),
          },
          { description: 'One environment variable.' },
        ),
        { description: 'Further environment variables.', kind: 'map', keys: ['name'], maxItems: 64 },
      ),
    ),
    placement: optional(placement),
  };
}

/** Pods of a stateless component. */
export function replicasField(description: string) {
  return int32({
    description,
    default: 1,
    maximum: 7,
    rules: [
      {
        rule: 'self >= 1',
        message: 'replicas must be at least 1: a control plane cannot be scaled to nothing; delete it instead',
        reason: 'FieldValueInvalid',
      },
    ],
  });
}
