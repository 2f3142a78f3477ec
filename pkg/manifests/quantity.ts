/** Powers of ten of the decimal suffixes, as an exponent that a number's text takes, so that reading it rounds once. */
const decimal: Readonly<Record<string, string>> = {
  '': '',
  n: 'e-9',
  u: 'e-6',
  m: 'e-3',
  k: 'e3',
  M: 'e6',
  G: 'e9',
  T: 'e12',
  P: 'e15',
  E: 'e18',
};

const binary: Readonly<Record<string, number>> = {
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

const grammar = /^([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+))(?:([KMGTPE]i)|([numkMGTPE]?)|([eE][+-]?[0-9]+))$/;

/**
 * Bytes of a Kubernetes quantity such as `1Gi`, `1.5e9` or `500M`, rounded down: the whole grammar of apimachinery's
 * `resource.Quantity`, with sign, fraction, exponent and every suffix. Exact up to 2^53.
 *
 * **Errors** throws for another text, which the CRD refuses beforehand.
 */
export function bytesOf(quantity: string): number {
  const match = grammar.exec(quantity);
  if (match === null) throw new Error(`${JSON.stringify(quantity)} is not a quantity such as 1Gi`);
  const [, number = '', binarySuffix, decimalSuffix = '', exponent] = match;
  if (binarySuffix !== undefined) return Math.floor(Number(number) * (binary[binarySuffix] ?? 1));
  return Math.floor(Number(`${number}${exponent ?? decimal[decimalSuffix] ?? ''}`));
}
