/** What the program's exit code says. Scripts may rely on the numbers; docs/reference/cli.md is made from this table. */
export const exitCodes = {
  ok: { code: 0, meaning: 'it is done, or it was so already' },
  failed: { code: 1, meaning: 'something went wrong that has no code of its own; the message says what' },
  wrongUse: {
    code: 2,
    meaning: 'unknown command or flag, a missing or malformed value; nothing was asked of the server',
  },
  notFound: { code: 3, meaning: 'the control plane (or the kubeconfig, namespace, provider) is not there' },
  timedOut: { code: 4, meaning: 'what was waited for did not happen in time; it may still happen' },
  refused: { code: 5, meaning: 'not done to protect something: not confirmed, exists already, or would overwrite' },
  unreachable: { code: 6, meaning: 'the super cluster, or the tenant behind it, does not answer' },
  denied: { code: 7, meaning: 'the server does not accept our credentials, or our rights do not suffice' },
  invalid: { code: 8, meaning: 'the server refused the object; the message names the field' },
  interrupted: {
    code: 130,
    meaning: 'ended by Ctrl-C; what was begun in the cluster goes on there (`capn connect` is meant to end so: 0)',
  },
} as const satisfies Record<string, { readonly code: number; readonly meaning: string }>;

/** A row of the {@link exitCodes} table. */
export type ExitName = keyof typeof exitCodes;
