import { createPrivateKey, createPublicKey } from 'node:crypto';
import type { Finding } from './finding.ts';
import { generateKeys, privateKeyPem, publicKeyPem } from './key-pair.ts';

/** The key pair that signs and verifies a tenant's ServiceAccount tokens, as PEM texts. */
export interface ServiceAccountKey {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** Makes a key pair for ServiceAccount tokens: ECDSA P-256, which kube-apiserver signs ES256 with. */
export async function generateServiceAccountKey(): Promise<ServiceAccountKey> {
  const keys = await generateKeys();
  return { publicKey: publicKeyPem(keys.publicKey), privateKey: privateKeyPem(keys.privateKey) };
}

/** Whether a user's own key pair can be used: both parts readable, RSA or ECDSA, and of one pair. */
export function inspectServiceAccountKey(pem: Partial<ServiceAccountKey>): Finding | undefined {
  const { publicKey, privateKey } = pem;
  if (!publicKey || !privateKey) return { problem: 'missing', message: 'the public or the private key is missing' };
  try {
    const key = createPrivateKey(privateKey);
    if (key.asymmetricKeyType !== 'rsa' && key.asymmetricKeyType !== 'ec') {
      return {
        problem: 'unreadable',
        message: 'the key must be RSA or ECDSA: kube-apiserver signs with no other kind',
      };
    }
    if (createPublicKey(privateKey).equals(createPublicKey(publicKey))) return undefined;
    return { problem: 'keyMismatch', message: 'the public key does not belong to the private key' };
  } catch {
    return { problem: 'unreadable', message: 'the public and the private key must be unencrypted PEM texts' };
  }
}
