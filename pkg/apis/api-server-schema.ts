import { matching } from './rules.ts';
import { list, map, object, optional, string } from './schema.ts';

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
