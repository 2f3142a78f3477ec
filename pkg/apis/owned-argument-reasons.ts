import type { ComponentName, ownedArguments } from './owned-arguments.ts';

/** A reason for every group of {@link ownedArguments}; a group without one does not compile. */
type Reasons = { readonly [C in ComponentName]: { readonly [G in keyof (typeof ownedArguments)[C]]: string } };

/** Why the control plane sets these arguments itself. For docs/reference/arguments.md. */
export const ownedArgumentReasons: Reasons = {
  etcd: {
    identity: 'They decide which cluster a member belongs to; a wrong value mixes up or overwrites data.',
    addresses: 'They must be what certificates, the Service and the NetworkPolicy name.',
    certificates: 'Without them anybody who reaches the port could read and change the tenant as a whole.',
    durability: 'They could lose data that was reported as written, or put it outside the claim.',
    files: 'A configuration file would override everything else that is set here.',
  },
  apiServer: {
    addresses: 'They must be what certificates, the claimed Service range and the NetworkPolicy name.',
    certificates: 'They decide who is believed to be whom; the files come from Secrets of the control plane.',
    etcd: "They point to the tenant's own etcd; another value could reach the data of another tenant.",
    identity: 'Tokens must stay valid across restarts and replicas, and must name this API server.',
    authorization:
      'Without RBAC and Node authorization the tenant would be open to everybody who can log in; the probes of the kubelet are anonymous.',
  },
  controllerManager: {
    addresses: 'They must be what probes, the claimed Service range and the NetworkPolicy name.',
    certificates: 'The files come from Secrets of the control plane.',
    access: 'The controller manager talks to the API server of its own tenant, with an identity of its own.',
    super: 'Controllers that would act on what the super cluster owns stay off, and one replica leads.',
  },
};
