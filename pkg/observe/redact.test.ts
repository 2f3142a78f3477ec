import { describe, expect, it } from 'vitest';
import { redactFields, redactText } from './redact.ts';

describe('redactFields', () => {
  it('blots out secret fields at any depth, whatever they hold, and keeps the rest', () => {
    const secret = {
      kind: 'Secret',
      metadata: { name: 'a' },
      data: { 'tls.key': 'eA==' },
      stringData: { password: 'x' },
    };
    expect(redactFields({ list: [secret], 'client-key-data': 'k', Kubeconfig: 'apiVersion: v1' })).toEqual({
      list: [{ kind: 'Secret', metadata: { name: 'a' }, data: '[redacted]', stringData: '[redacted]' }],
      'client-key-data': '[redacted]',
      Kubeconfig: '[redacted]',
    });
  });

  it('keeps the key of an object', () => {
    expect(redactFields({ key: { namespace: 'a', name: 'b' } })).toEqual({ key: { namespace: 'a', name: 'b' } });
    expect(redactFields({ key: 'a/b' })).toEqual({ key: 'a/b' });
  });

  it('blots out what kubectl apply leaves in annotations', () => {
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': '{"data":{}}', other: 'x' };
    expect(redactFields({ annotations })).toEqual({
      annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '[redacted]', other: 'x' },
    });
  });

  it('turns errors into objects, with cause and without secrets', () => {
    const error = Object.assign(new TypeError('no', { cause: new Error('why') }), { token: 't', code: 'X' });
    expect(redactFields({ error })).toMatchObject({
      error: { type: 'TypeError', message: 'no', code: 'X', token: '[redacted]', cause: { message: 'why' } },
    });
  });

  it('ends for a cyclic value', () => {
    const cyclic: Record<string, unknown> = {};
    cyclic['self'] = cyclic;
    expect(JSON.stringify(redactFields(cyclic))).toContain('[deeper]');
  });
});

describe('redactText', () => {
  it.each([
    ['a PEM key', 'before -----BEGIN EC PRIVATE KEY-----\nabc\n-----END EC PRIVATE KEY----- after'],
    ['a PEM key that was cut', 'before -----BEGIN PRIVATE KEY-----\nabc'],
    ['base64 of PEM', 'before client-key-data: LS0tLS1CRUdJTiBQUklWQVRFabc+/= after'],
    ['a JSON Web Token', 'before eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJrdWJl.abc-_ after'],
    ['an Authorization header', 'before Bearer abcdefgh.abc after'],
  ])('blots out %s', (_, text) => {
    const redacted = redactText(text);
    expect(redacted).toContain('[redacted]');
    expect(redacted).toContain('before');
    expect(redacted).not.toContain('abc');
  });
});
