import { KeyObject, randomBytes, webcrypto } from 'node:crypto';

/** A certificate and its private key as PEM texts (`tls.crt` and `tls.key` of a Secret). */
export interface KeyPairPem {
  /** The certificate, first; issuers in between may follow (RFC 5246 section 7.4.2 order). */
  readonly certificate: string;
  /** PKCS#8 when made here; a user's may be PKCS#1 or SEC 1. */
  readonly privateKey: string;
}

/** A certificate authority that can sign. */
export interface CertificateAuthority extends KeyPairPem {}

const minute = 60_000;

/** How far a certificate's start lies back, so that a machine whose clock is a little behind accepts it. */
export const clockSkewMs = 5 * minute;

/** The key algorithm of everything that is made here: ECDSA P-256. */
const keyAlgorithm = { name: 'ECDSA', namedCurve: 'P-256' } as const;

/** Makes a new ECDSA P-256 key pair. */
export async function generateKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(keyAlgorithm, true, ['sign', 'verify']);
}

/** A private key as PKCS#8 PEM. */
export function privateKeyPem(key: webcrypto.CryptoKey): string {
  return KeyObject.from(key).export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** A public key as PKIX PEM. */
export function publicKeyPem(key: webcrypto.CryptoKey): string {
  return KeyObject.from(key).export({ type: 'spki', format: 'pem' }).toString();
}

/** A random, positive 128-bit serial number in hexadecimal (RFC 5280 section 4.1.2.2). */
export function randomSerialNumber(): string {
  const bytes = randomBytes(16);
  // The two top bits 01 keep the number positive and its length the same.
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes.toString('hex');
}

/** A time as certificates can hold it: whole seconds. */
export function wholeSeconds(timeMs: number): Date {
  return new Date(Math.floor(timeMs / 1000) * 1000);
}
