const censored = '[redacted]';
const deepest = 8;

/** Names of fields whose value never goes into a log, in lower case without `-`, `_` and `.`. */
const secretFields = new Set([
  'data',
  'stringdata',
  'binarydata',
  'token',
  'bearertoken',
  'accesstoken',
  'refreshtoken',
  'authorization',
  'password',
  'privatekey',
  'keydata',
  'clientkeydata',
  'clientkey',
  'tlskey',
  'cakey',
  'kubeconfig',
  'kubectlkubernetesio/lastappliedconfiguration',
]);

/** Secrets that can be told by their looks: PEM keys, base64 of PEM, JSON Web Tokens, Authorization headers. */
const secretTexts: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /LS0tLS1CRUdJTi[\w+/=]+/g,
  /eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]+/g,
  /\b(?:Bearer|Basic)\s+[\w.~+/=-]{8,}/g,
];

/** The text with keys, tokens and credentials in it blotted out. Public certificates in plain PEM stay. */
export function redactText(text: string): string {
  return secretTexts.reduce((redacted, pattern) => redacted.replace(pattern, censored), text);
}

/**
 * A copy of `value` that is fit for a log: fields that hold secrets (`data`, `stringData`, `token`, `kubeconfig`, keys …)
 * are blotted out at any depth, and errors become plain objects with type, message, stack, code and cause.
 *
 * **Guarantees** ends for cyclic values (cut eight levels down); texts are left to {@link redactText}.
 */
export function redactFields(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? value.toString() : value;
  if (depth >= deepest) return '[deeper]';
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map((item) => redactFields(item, depth + 1));
  const fields = value instanceof Error ? errorFields(value) : Object.entries(value);
  return Object.fromEntries(
    fields.map(([name, item]) => [name, isSecretField(name, item) ? censored : redactFields(item, depth + 1)]),
  );
}

function isSecretField(name: string, value: unknown): boolean {
  return value !== undefined && secretFields.has(name.toLowerCase().replace(/[-_.]/g, ''));
}

function errorFields(error: Error): [string, unknown][] {
  const { name, message, stack, cause } = error;
  const rest = Object.entries(error).filter(([field]) => field !== 'name');
  return [
    ['type', name],
    ['message', message],
    ['stack', stack],
    ...rest,
    ...(cause === undefined ? [] : [['cause', cause] as [string, unknown]]),
  ];
}
