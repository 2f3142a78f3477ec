import { imageSettings } from './image-schema.ts';
import { ownedArgumentNames, type ComponentName } from './owned-arguments.ts';
import { placement } from './placement-schema.ts';
import { resources } from './resources-schema.ts';
import { matching, objectName } from './rules.ts';
import { int32, list, object, optional, string } from './schema.ts';

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

/** The settings that every component takes, wherever it is described (inline or in an object of its own). */
export function componentSettings(component: ComponentName) {
  return {
    ...imageSettings(component),
    imagePullSecrets: optional(
      list(
        object(
          {
            name: string({
              description: 'Name of the Secret.',
              minLength: 1,
              maxLength: 253,
              rules: [objectName('Secret')],
            }),
          },
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
            value: string({
              description: 'Its value.',
              maxLength: 1024,
              rules: [matching(String.raw`^[^\x00]*$`, 'must not hold a NUL character')],
            }),
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
