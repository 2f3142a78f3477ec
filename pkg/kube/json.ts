/** The parts of the JSON source text access proposal that Node 24 has and TypeScript's es2024 library does not declare. */
const exact = JSON as unknown as {
  rawJSON(text: string): object;
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
};

/** A number token of 16 digits or more; digits within a string seldom follow these signs. */
const longInteger = /[:,[\s-][1-9]\d{15}/;
const integer = /^-?\d+$/;

/**
 * Parses JSON so that integers beyond 2^53 come out of `JSON.stringify` digit for digit.
 *
 * Such an integer is a frozen `JSON.rawJSON` object. Copies by spread keep it; `structuredClone` does not, so do not
 * clone objects that came from a server. Texts without a number of 16 digits (nearly all) take the plain, fast way.
 * **Errors** `SyntaxError`, as `JSON.parse`.
 */
export function parseJson(text: string): unknown {
  return longInteger.test(text) ? exact.parse(text, keepExact) : JSON.parse(text);
}

function keepExact(_key: string, value: unknown, { source }: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || source === undefined || Number.isSafeInteger(value)) return value;
  return integer.test(source) ? exact.rawJSON(source) : value;
}
