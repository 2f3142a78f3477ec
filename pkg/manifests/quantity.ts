const factors: Readonly<Record<string, number>> = {
  '': 1,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
};

/**
 * Bytes of a Kubernetes quantity such as `1Gi`, rounded down.
 *
 * **Errors** throws for another text, which the CRD refuses beforehand.
 */
export function bytesOf(quantity: string): number {
  const match = /^([0-9]+(?:\.[0-9]+)?)([a-zA-Z]*)$/.exec(quantity);
  const factor = factors[match?.[2] ?? '?'];
  if (match === null || factor === undefined) throw new Error(`${quantity} is not a quantity such as 1Gi`);
  return Math.floor(Number(match[1]) * factor);
}
