import { objectName } from './rules.ts';
import { int32, object, optional, string } from './schema.ts';

/** Where etcd keeps its data. */
export const etcdStorage = object(
  {
    size: string({
      description: 'Size of the claim, default 1Gi. It cannot be changed later in this release.',
      maxLength: 20,
      default: '1Gi',
      rules: [
        {
          // compareTo, because there is no isGreaterThanOrEqualTo. Below this etcd has no room for its database.
          rule: `isQuantity(self) && quantity(self).compareTo(quantity('512Mi')) >= 0`,
          message: 'must be a quantity of at least 512Mi (the log alone takes 320 MB), such as 10Gi',
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
        rules: [objectName('StorageClass')],
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
