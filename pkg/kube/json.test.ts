import { expect, test } from 'vitest';
import { parseJson } from './json.ts';

test.each(['9007199254740993', '-9223372036854775808', '18446744073709551615', '123456789012345678901234567890'])(
  '%s survives parse and stringify, wherever it stands',
  (digits) => {
    const text = `{"a":${digits},"list":[1,${digits}],"deep":{"b":{"c":${digits}}}}`;
    expect(JSON.stringify(parseJson(text))).toBe(text);
    expect(JSON.stringify({ ...(parseJson(`{ "a" :  ${digits} }`) as object) })).toBe(`{"a":${digits}}`);
  },
);

test('all other numbers are numbers, and digits within strings stay strings', () => {
  const text = '{"small":9007199254740991,"float":0.1234567890123456789,"zero":-0,"e":1e3,"s":"12345678901234567890"}';
  expect(parseJson(text)).toEqual({
    small: 9007199254740991,
    float: 0.12345678901234568,
    zero: -0,
    e: 1000,
    s: '12345678901234567890',
  });
});

test('what is not JSON throws on both ways', () => {
  expect(() => parseJson('{"a":')).toThrow(SyntaxError);
  expect(() => parseJson('{"a":9007199254740993')).toThrow(SyntaxError);
});
