import type { V1Affinity } from '@kubernetes/client-node';
import type { Raw } from '#kube';
import { hasFormat, objectName } from './rules.ts';
import { int64, list, map, object, oneOf, opaque, optional, string, type Rule } from './schema.ts';

const labelValue: Rule = {
  rule: hasFormat('labelValue'),
  message:
    'must be a label value: at most 63 letters, digits, dashes, underscores and dots, starting and ending with a letter or digit',
  reason: 'FieldValueInvalid',
};

const labelKeyForm = 'such as disktype or example.org/pool: an optional DNS name and /, then at most 63 characters';

const nodeSelector = map(string({ description: 'The label value.', maxLength: 63, rules: [labelValue] }), {
  description: 'Labels that a node of the super cluster must carry.',
  maxProperties: 32,
  rules: [
    {
      rule: `self.all(key, ${hasFormat('qualifiedName', 'key')})`,
      message: `each key must be the name of a label ${labelKeyForm}`,
      reason: 'FieldValueInvalid',
    },
  ],
});

/** The rules that pods have for tolerations; an empty text is not the same as none to us, so it is refused. */
const toleration = object(
  {
    key: optional(
      string({
        description: 'Name of the taint. None, with `Exists`, tolerates all.',
        minLength: 1,
        maxLength: 317,
        rules: [
          {
            rule: hasFormat('qualifiedName'),
            message: `must be the name of a taint ${labelKeyForm}`,
            reason: 'FieldValueInvalid',
          },
        ],
      }),
    ),
    operator: optional(
      oneOf(['Exists', 'Equal'], { description: 'Whether the value counts: Equal (as in a pod, if none) or Exists.' }),
    ),
    value: optional(
      string({ description: 'The value of the taint.', minLength: 1, maxLength: 63, rules: [labelValue] }),
    ),
    effect: optional(
      oneOf(['NoSchedule', 'PreferNoSchedule', 'NoExecute'], { description: 'Effect of the taint; all if none.' }),
    ),
    tolerationSeconds: optional(
      int64({ description: 'Seconds that a pod stays on a node with the taint (NoExecute only); for ever if none.' }),
    ),
  },
  {
    description: 'A toleration, as in a pod.',
    rules: [
      {
        rule: `has(self.key) || (has(self.operator) && self.operator == 'Exists')`,
        message: 'a toleration without a key needs operator Exists',
        reason: 'FieldValueInvalid',
      },
      {
        rule: `!has(self.value) || !has(self.operator) || self.operator == 'Equal'`,
        message: 'a toleration with operator Exists takes no value',
        reason: 'FieldValueInvalid',
      },
      {
        rule: `!has(self.tolerationSeconds) || (has(self.effect) && self.effect == 'NoExecute')`,
        message: 'tolerationSeconds needs effect NoExecute',
        reason: 'FieldValueInvalid',
      },
    ],
  },
);

/** Where a component's pods may run. */
export const placement = object(
  {
    nodeSelector: optional(nodeSelector),
    tolerations: optional(
      list(toleration, {
        description: 'Taints of super nodes that the pods tolerate.',
        kind: 'atomic',
        maxItems: 32,
      }),
    ),
    affinity: optional(
      opaque<Raw<V1Affinity>>({
        description:
          'Affinity and anti-affinity, as in a pod. It is checked when the pods are made: see the condition Available.',
      }),
    ),
    priorityClassName: optional(
      string({
        description: 'PriorityClass of the super cluster for the pods.',
        minLength: 1,
        maxLength: 253,
        rules: [objectName('PriorityClass')],
      }),
    ),
  },
  { description: "Where the component's pods may run in the super cluster. By default anywhere." },
);
