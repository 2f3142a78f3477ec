import { createPrivateKey, type KeyObject, type webcrypto } from 'node:crypto';

/** A signing key with the algorithm that goes with it. */
export interface SigningKey {
  readonly key: webcrypto.CryptoKey;
  readonly algorithm: { readonly name: string; readonly hash?: string };
}

/** Elliptic curves by OpenSSL's name: their name in WebCrypto and the hash of matching strength. */
const curves: Readonly<Record<string, { readonly namedCurve: string; readonly hash: string }>> = {
  prime256v1: { namedCurve: 'P-256', hash: 'SHA-256' },
  secp384r1: { namedCurve: 'P-384', hash: 'SHA-384' },
  secp521r1: { namedCurve: 'P-521', hash: 'SHA-512' },
};

/** Key kinds that an authority may have, for messages. */
export const signingKeyKinds = 'RSA, ECDSA (P-256, P-384, P-521) or Ed25519';

/** The algorithm that a private key signs certificates with; undefined for kinds that Kubernetes cannot verify. */
function algorithmOf(key: KeyObject): (SigningKey['algorithm'] & { readonly namedCurve?: string }) | undefined {
  if (key.asymmetricKeyType === 'rsa') return { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  if (key.asymmetricKeyType === 'ed25519') return { name: 'Ed25519' };
  if (key.asymmetricKeyType !== 'ec') return undefined;
  const curve = curves[key.asymmetricKeyDetails?.namedCurve ?? ''];
  return curve === undefined ? undefined : { name: 'ECDSA', ...curve };
}

/** Whether {@link importSigningKey} can use the key. */
export function canSign(key: KeyObject): boolean {
  return algorithmOf(key) !== undefined;
}

/**
 * Reads an authority's private key: PKCS#8, PKCS#1 or SEC 1 PEM.
 *
 * **Errors** throws if the text is no such key or its kind cannot sign; `inspectAuthority` finds both beforehand.
 */
export function importSigningKey(pem: string): SigningKey {
  const key = createPrivateKey(pem);
  const algorithm = algorithmOf(key);
  if (algorithm === undefined) throw new Error(`the authority's key cannot sign; use ${signingKeyKinds}`);
  return { key: key.toCryptoKey(algorithm, false, ['sign']), algorithm };
}
