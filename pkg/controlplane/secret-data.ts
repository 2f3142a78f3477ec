import type { Secret } from '#kube';

/** A Secret's `data` from plain texts. */
export function secretData(texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')]));
}

/** One text of a Secret; undefined when the key is not there. */
export function readText(secret: Secret | undefined, key: string): string | undefined {
  const value = secret?.data?.[key];
  return value === undefined ? undefined : Buffer.from(value, 'base64').toString('utf8');
}

/** `tls.crt` and `tls.key` of a Secret, as far as they are there. */
export function readPem(secret: Secret | undefined): { readonly certificate?: string; readonly privateKey?: string } {
  const certificate = readText(secret, 'tls.crt');
  const privateKey = readText(secret, 'tls.key');
  return {
    ...(certificate === undefined ? {} : { certificate }),
    ...(privateKey === undefined ? {} : { privateKey }),
  };
}
