import { describe, expect, test } from 'vitest';
import { errorFromAnswer, errorFromEvent, errorFromFailure } from './error-gate.ts';
import { KubeError } from './errors.ts';

const attempt = { attempted: 'PUT configmaps default/x' };
const unknownField =
  'default/x; apps/v1, Kind=Deployment): .spec.template.spec.affinity.nodeAfinity: field not declared in schema';
const never = new AbortController().signal;

function status(fields: object): string {
  return JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', ...fields });
}

describe('answers', () => {
  test.each([
    [400, {}, 'INVALID'],
    [401, {}, 'UNAUTHORIZED'],
    [403, {}, 'FORBIDDEN'],
    [404, {}, 'NOT_FOUND'],
    [409, { reason: 'Conflict' }, 'CONFLICT'],
    [409, { reason: 'AlreadyExists' }, 'ALREADY_EXISTS'],
    [410, { reason: 'Expired' }, 'EXPIRED'],
    [413, {}, 'INVALID'],
    [415, {}, 'INVALID'],
    [422, { details: { causes: [{ field: 'spec.x' }] } }, 'INVALID'],
    [422, { details: { causes: [{ field: 'metadata.uid' }] } }, 'CONFLICT'],
    [429, {}, 'THROTTLED'],
    [500, {}, 'UNAVAILABLE'],
    [500, { message: `failed to create typed patch object (${unknownField}` }, 'INVALID'],
    [503, { message: `failed to create typed patch object (${unknownField}` }, 'UNAVAILABLE'],
    [302, {}, 'UNAVAILABLE'],
    [503, {}, 'UNAVAILABLE'],
    [504, {}, 'TIMEOUT'],
  ])('%i %j is %s', (code, fields, expected) => {
    expect(errorFromAnswer(attempt, { status: code, body: status(fields) })).toMatchObject({
      code: expected,
      status: code,
    });
  });

  test('say what was tried and what the server says, on one line of at most 1 kB', () => {
    const error = errorFromAnswer(attempt, { status: 422, body: status({ message: `bad\n\n  ${'x'.repeat(5000)}` }) });
    expect(error.message).toMatch(/^PUT configmaps default\/x: 422 bad x+…$/);
    expect(error.message.length).toBeLessThan(1100);
  });

  test('may be of no Status at all', () => {
    const page = errorFromAnswer(attempt, { status: 502, body: '<html>\n<b>Bad Gateway</b>' });
    expect(page.message).toBe('PUT configmaps default/x: 502 <html> <b>Bad Gateway</b>');
    expect(errorFromAnswer(attempt, { status: 503, body: '{broken' }).code).toBe('UNAVAILABLE');
    const odd = status({ message: 1, reason: {}, details: { causes: 'x', retryAfterSeconds: 'y' } });
    expect(errorFromAnswer(attempt, { status: 422, body: odd })).toMatchObject({ code: 'INVALID', causes: [] });
    const odder = status({ details: { causes: [null, 1, { field: 2, reason: 'R' }] } });
    expect(errorFromAnswer(attempt, { status: 422, body: odder }).causes).toEqual([{}, {}, { reason: 'R' }]);
  });

  test('name the causes, and how long to wait: by header, else by the Status', () => {
    const causes = [{ reason: 'FieldValueInvalid', field: 'spec.x', message: 'no' }];
    const body = status({ reason: 'Invalid', details: { causes, retryAfterSeconds: 7 } });
    expect(errorFromAnswer(attempt, { status: 422, body })).toMatchObject({
      reason: 'Invalid',
      causes,
      retryAfterSeconds: 7,
    });
    expect(errorFromAnswer(attempt, { status: 429, body, retryAfter: '3' }).retryAfterSeconds).toBe(3);
    const asDate = errorFromAnswer(attempt, { status: 429, body: '', retryAfter: 'Wed, 21 Oct 2026 07:28:00 GMT' });
    expect(asDate.retryAfterSeconds).toBeUndefined();
  });

  test('about a refused secret quote nothing but the fields', () => {
    const causes = [{ field: 'data[x]', reason: 'FieldValueInvalid', message: 'Invalid value: "hunter2"' }];
    const body = status({ message: 'Secret "x" is invalid: Invalid value: "hunter2"', details: { causes } });
    const error = errorFromAnswer({ ...attempt, secret: true }, { status: 422, body });
    expect(error.message).not.toContain('hunter2');
    expect(error.causes).toEqual([{ field: 'data[x]', reason: 'FieldValueInvalid' }]);
    const message = 'failed to create typed patch object (default/x): .data.x: expected string, got "hunter2"';
    const applied = errorFromAnswer({ ...attempt, secret: true }, { status: 500, body: status({ message }) });
    expect(applied.message).not.toContain('hunter2');
  });
});

test('an ERROR event is the error of its Status, even of an empty one', () => {
  expect(errorFromEvent(attempt, { kind: 'Status', code: 410, reason: 'Expired' }).code).toBe('EXPIRED');
  expect(errorFromEvent(attempt, undefined)).toMatchObject({ code: 'UNAVAILABLE', status: 500 });
});

describe('failures', () => {
  test.each([
    [Object.assign(new Error('no'), { code: 'ECONNREFUSED' }), 'UNAVAILABLE'],
    [new Error('fetch failed', { cause: Object.assign(new Error(), { code: 'UND_ERR_HEADERS_TIMEOUT' }) }), 'TIMEOUT'],
    [Object.assign(new Error(), { code: 'UND_ERR_CONNECT_TIMEOUT' }), 'UNAVAILABLE'],
    [Object.assign(new Error(), { code: 'UND_ERR_DESTROYED' }), 'ABORTED'],
    ['a string', 'UNAVAILABLE'],
  ])('%s is %s', (failure, code) => {
    expect(errorFromFailure(attempt, failure, never)).toMatchObject({ code, cause: failure });
  });

  test('a KubeError passes unchanged', () => {
    const error = new KubeError('x', { code: 'EXPIRED' });
    expect(errorFromFailure(attempt, error, never)).toBe(error);
  });

  test('anything is ABORTED once the signal has fired', () => {
    const late = errorFromFailure(attempt, new KubeError('x', { code: 'UNAVAILABLE' }), AbortSignal.abort('why'));
    expect(late).toMatchObject({ code: 'ABORTED', cause: 'why', retry: 'silent' });
  });
});
