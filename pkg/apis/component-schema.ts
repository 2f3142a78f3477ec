import type { V1Affinity, V1Toleration } from '@kubernetes/client-node';
import type { Raw } from '#kube';
import { ownedArgumentNames, type ComponentName } from './owned-arguments.ts';
import { int32, list, map, object, opaque, optional, quantity, string, type Rule } from './schema.ts';
import { supportedVersionsText, versionPattern, versionRows } from './versions.ts';

/** A form of text that a person reads about in words: a `pattern` would answer with the expression instead. */
function matching(expression: string, message: string): Rule {
  return { rule: `self.matches(r'${expression}')`, message, reason: 'FieldValueInvalid' };
}

const imageName = matching(
  '^[a-z0-9][a-zA-Z0-9._:/@-]*$',
  'must be an image name such as registry.k8s.io/etcd, starting with a lower-case letter or digit, without spaces',
);

const minors = versionRows.map((row) => `self.startsWith('v1.${row.minor}.')`).join(' || ');

/** Refuses what has no row in the version table; applied to every `version` field. */
export const supportedVersion: Rule = {
  rule: `self.matches(r'${versionPattern}') && (${minors})`,
  message: `this Kubernetes version is not supported; supported are ${supportedVersionsText()}, written like ${versionRows[0].tested}`,
  messageExpression: `'Kubernetes version ' + self + ' is not supported; supported are ${supportedVersionsText()}, written like ${versionRows[0].tested}'`,
  reason: 'FieldValueInvalid',
};

/** `version` of a control plane or component. */
export function versionField(description: string, rules: readonly Rule[] = [supportedVersion]) {
  return string({ description, maxLength: 16, rules });
}

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

/** Where etcd keeps its data. */
export const etcdStorage = object(
  {
    size: string({
      description: 'Size of the claim, default 1Gi. It cannot be changed later in this release.',
      maxLength: 20,
      default: '1Gi',
      rules: [
        {
          rule: `isQuantity(self) && quantity(self).isGreaterThan(quantity('0'))`,
          message: 'must be a quantity above 0, such as 10Gi',
          reason: 'FieldValueInvalid',
        },
        {
          rule: 'self == oldSelf',
          message: 'the size of etcd storage cannot be changed after creation',
          reason: 'FieldValueInvalid',
        },
      ],
    }),
    storageClassName: optional(
      string({
        description: "StorageClass of the super cluster. By default the super cluster's default class.",
        minLength: 1,
        maxLength: 253,
      }),
    ),
  },
  {
    description: 'The volume that etcd keeps its data on.',
    default: {},
    rules: [
      {
        rule: 'has(self.storageClassName) == has(oldSelf.storageClassName) && (!has(self.storageClassName) || self.storageClassName == oldSelf.storageClassName)',
        message: 'the StorageClass of etcd cannot be changed after creation',
        reason: 'FieldValueInvalid',
      },
    ],
  },
);

/** Members of etcd. One in this release; the rule is the only place to change when there are more. */
export const etcdReplicas = int32({
  description: 'Members of etcd. This release runs 1.',
  default: 1,
  rules: [
    {
      rule: 'self == 1',
      message: 'etcd runs with exactly 1 member in this release; set replicas to 1 (even numbers are never allowed)',
      reason: 'FieldValueInvalid',
    },
  ],
});

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

/** How the API server is reached. */
export const apiServerService = object(
  {
    type: string({
      description:
        'Type of the Service in the super cluster: ClusterIP (default), NodePort or LoadBalancer. With LoadBalancer the control plane waits for its address and puts it into the certificate and the kubeconfig.',
      maxLength: 16,
      default: 'ClusterIP',
      rules: [
        {
          rule: "self in ['ClusterIP', 'NodePort', 'LoadBalancer']",
          message: 'the Service type must be ClusterIP, NodePort or LoadBalancer',
        },
      ],
    }),
    annotations: optional(
      map(string({ description: 'The annotation value.', maxLength: 4096 }), {
        description: 'Annotations for the Service, for instance for a cloud load balancer.',
        maxProperties: 32,
      }),
    ),
  },
  { description: "The Service in front of the tenant's API server.", default: {} },
);

export const extraSANs = list(
  string({
    description: 'A DNS name (may start with `*.`) or an IP address.',
    maxLength: 253,
    rules: [
      matching(
        String.raw`^((\*\.)?[a-zA-Z0-9]([a-zA-Z0-9.-]*[a-zA-Z0-9])?|[0-9a-fA-F:.]+)$`,
        'must be a DNS name such as api.example.org or *.example.org, or an IP address',
      ),
    ],
  }),
  {
    description: "Further names and addresses for the API server's certificate.",
    kind: 'set',
    maxItems: 64,
  },
);

export const serviceCIDR = string({
  description:
    "The tenant's Service addresses: one /24 of the super cluster's own Service range, aligned to its size. By default a free one is claimed. Cannot be changed later.",
  maxLength: 18,
  rules: [
    {
      rule: `isCIDR(self) && cidr(self).ip().family() == 4 && cidr(self).prefixLength() == 24 && cidr(self) == cidr(self).masked()`,
      message: 'must be an IPv4 network of 256 addresses such as 10.96.7.0/24, with no host bits set',
      reason: 'FieldValueInvalid',
    },
    {
      rule: 'self == oldSelf',
      message: 'the Service range of a tenant cannot be changed after creation',
      reason: 'FieldValueInvalid',
    },
  ],
});
