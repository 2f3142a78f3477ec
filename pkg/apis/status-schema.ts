import { boolean, dateTime, int32, int64, list, object, oneOf, optional, string } from './schema.ts';

/** metav1.Condition, as the API machinery defines it. */
const conditions = list(
  object(
    {
      type: string({ description: 'What the condition is about, in CamelCase.', maxLength: 316 }),
      status: oneOf(['True', 'False', 'Unknown'], { description: 'Whether it holds.' }),
      reason: string({ description: 'Why, as one CamelCase word for programs.', maxLength: 1024 }),
      message: string({ description: 'Why, as a sentence for people.', maxLength: 32768 }),
      lastTransitionTime: dateTime({ description: 'When the status last changed.' }),
      observedGeneration: optional(int64({ description: 'The generation that this was said of.' })),
    },
    { description: 'One observation.' },
  ),
  { description: 'What is true of the object now.', kind: 'map', keys: ['type'], maxItems: 32 },
);

/** `status.versions`: what runs, oldest first (Cluster API v1beta2 contract, control plane: version). */
export const versions = list(
  object(
    {
      version: string({ description: 'A Kubernetes version that runs.', maxLength: 32 }),
      replicas: optional(int32({ description: 'How many replicas run it.', minimum: 1 })),
    },
    { description: 'A version and its replicas.' },
  ),
  { description: 'The versions that run now, oldest first.', kind: 'map', keys: ['version'], maxItems: 16 },
);

/**
 * The counters of the Cluster API v1beta2 contract (control plane: replicas); `selector` serves `kubectl scale`.
 * @param what is counted, in the plural
 */
function replicaCounters(what: string) {
  return {
    replicas: optional(int32({ description: `${what} that exist.` })),
    readyReplicas: optional(int32({ description: `${what} that are ready.` })),
    availableReplicas: optional(int32({ description: `${what} that are available.` })),
    upToDateReplicas: optional(int32({ description: `${what} that run the wanted specification.` })),
    selector: optional(
      string({ description: 'Label selector of the pods that are counted, in text form.', maxLength: 1024 }),
    ),
  };
}

/** A certificate in use, without its key. */
const certificatesInUse = list(
  object(
    {
      name: string({ description: 'The Secret that holds it.', maxLength: 253 }),
      serialNumber: string({ description: 'Serial number in hexadecimal.', maxLength: 64 }),
      notAfter: dateTime({ description: 'When it expires.' }),
    },
    { description: 'A certificate in use.' },
  ),
  { description: 'Certificates that this object issued.', kind: 'map', keys: ['name'], maxItems: 32 },
);

const observedGeneration = optional(int64({ description: 'The generation that this status describes.' }));

/** `status.initialization` of the Cluster API v1beta2 contract. */
export const initialization = object(
  {
    controlPlaneInitialized: optional(
      boolean({ description: 'Whether the API server has taken requests once. Never goes back to false.' }),
    ),
  },
  { description: 'Milestones of the first bring-up.' },
);

/**
 * The status that every object of ours reports (docs/reference/component-contract.md).
 * @param counted what the replica counters count, in the plural
 */
export function commonStatus(counted: string) {
  return {
    observedGeneration,
    conditions: optional(conditions),
    version: optional(string({ description: 'The lowest version that runs.', maxLength: 32 })),
    ...replicaCounters(counted),
  };
}

/** In the status of whoever issues certificates. */
export const certificates = optional(certificatesInUse);
