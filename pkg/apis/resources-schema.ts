import { map, object, optional, quantity, type Rule } from './schema.ts';

const names = ['cpu', 'memory', 'ephemeral-storage'];

/** Others (devices, huge pages) have rules of their own in pods, and no program of a control plane uses them. */
const knownNames: Rule = {
  rule: `self.all(name, name in [${names.map((name) => `'${name}'`).join(', ')}])`,
  message: `allowed are ${names.join(', ')}`,
  reason: 'FieldValueInvalid',
};

/** By resource name: `cpu`, `memory`, `ephemeral-storage`. */
function amounts(description: string) {
  return map(quantity({ description: 'The amount, such as 500m or 256Mi.' }), {
    description: `${description} By name: ${names.join(', ')}.`,
    maxProperties: names.length,
    rules: [knownNames],
  });
}

const at = (part: string) => `string(self.${part}[name])`;

/** What is no quantity is refused by its own rule. */
const requestsWithinLimits: Rule = {
  rule: `!has(self.requests) || !has(self.limits) || self.requests.all(name, !(name in self.limits) || !isQuantity(${at('requests')}) || !isQuantity(${at('limits')}) || !quantity(${at('requests')}).isGreaterThan(quantity(${at('limits')})))`,
  message: 'a request must not be above the limit of the same name; raise the limit, or leave it out',
  reason: 'FieldValueInvalid',
};

/** `resources` of a container, without what needs other objects (claims). */
export const resources = object(
  {
    requests: optional(amounts('What the container is promised.')),
    limits: optional(amounts('What the container may never pass. Give none for CPU unless you must.')),
  },
  {
    description:
      'CPU and memory of the container, as in a pod. By default requests are set and there are no limits; what is given here replaces the default as a whole.',
    rules: [requestsWithinLimits],
  },
);
