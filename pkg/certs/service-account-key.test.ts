import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { generateServiceAccountKey, inspectServiceAccountKey } from './index.ts';

describe('generateServiceAccountKey', () => {
  it('makes a P-256 pair whose public half verifies what the private half signed', async () => {
    const pair = await generateServiceAccountKey();
    expect(createPrivateKey(pair.privateKey).asymmetricKeyDetails?.namedCurve).toBe('prime256v1');
    expect(pair.publicKey).toMatch(/^-----BEGIN PUBLIC KEY-----\n/);
    const data = Buffer.from('token');
    const signature = sign('sha256', data, createPrivateKey(pair.privateKey));
    expect(verify('sha256', data, createPublicKey(pair.publicKey), signature)).toBe(true);
    expect(inspectServiceAccountKey(pair)).toBeUndefined();
  });
});

describe('inspectServiceAccountKey', () => {
  const pemOf = (kind: 'rsa' | 'ed25519') => {
    const { publicKey, privateKey } =
      kind === 'rsa' ? generateKeyPairSync('rsa', { modulusLength: 2048 }) : generateKeyPairSync('ed25519');
    return {
      publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
      privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    };
  };

  it("accepts a user's RSA pair and names each fault", () => {
    const [rsa, other] = [pemOf('rsa'), pemOf('rsa')];
    expect(inspectServiceAccountKey(rsa)).toBeUndefined();
    expect(inspectServiceAccountKey({ ...rsa, publicKey: other.publicKey })?.problem).toBe('keyMismatch');
    expect(inspectServiceAccountKey({ ...rsa, publicKey: 'nonsense' })?.problem).toBe('unreadable');
    expect(inspectServiceAccountKey({ publicKey: rsa.publicKey })?.problem).toBe('missing');
    expect(inspectServiceAccountKey(pemOf('ed25519'))?.problem).toBe('unreadable');
  });
});
