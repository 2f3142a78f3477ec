import { certificateName } from './host-rules.ts';
import { hasFormat } from './rules.ts';
import { list, map, object, optional, string, type Rule } from './schema.ts';

/** Prefixes of annotations that this provider and Cluster API read and write; domains below them included. */
const reservedDomains = String.raw`^([^/]*\.)?(tenancy|cluster)\.x-k8s\.io/`;

const annotationRules: readonly Rule[] = [
  {
    rule: `self.all(key, ${hasFormat('qualifiedName', 'key')})`,
    message:
      'each key must be the name of an annotation such as example.org/name: an optional lower-case DNS name and /, then at most 63 characters',
    reason: 'FieldValueInvalid',
  },
  {
    rule: `self.all(key, !key.matches(r'${reservedDomains}'))`,
    message:
      'annotations of tenancy.x-k8s.io, cluster.x-k8s.io and domains below them are set by the control plane; remove them',
    reason: 'FieldValueForbidden',
  },
];

/** How the API server is reached. */
export const apiServerService = object(
  {
    type: string({
      description:
        'Type of the Service in the super cluster: ClusterIP (default), NodePort or LoadBalancer. With LoadBalancer the control plane waits for its address and puts it into the certificate and the kubeconfig; it can be chosen at creation only.',
      maxLength: 16,
      default: 'ClusterIP',
      rules: [
        {
          rule: "self in ['ClusterIP', 'NodePort', 'LoadBalancer']",
          message: 'the Service type must be ClusterIP, NodePort or LoadBalancer',
        },
        {
          rule: "self == oldSelf || (self != 'LoadBalancer' && oldSelf != 'LoadBalancer')",
          message:
            'the Service type cannot change to or from LoadBalancer after creation, because the endpoint is final; ClusterIP and NodePort can be changed into each other',
          reason: 'FieldValueInvalid',
        },
      ],
    }),
    annotations: optional(
      map(string({ description: 'The annotation value.', maxLength: 4096 }), {
        description: 'Annotations for the Service, for instance for a cloud load balancer.',
        maxProperties: 32,
        rules: annotationRules,
      }),
    ),
  },
  { description: "The Service in front of the tenant's API server.", default: {} },
);

export const extraSANs = list(
  string({
    description: 'A DNS name (the first label may be `*`) or an IP address.',
    maxLength: 253,
    rules: [certificateName],
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
