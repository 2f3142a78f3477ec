import type { Rule } from './schema.ts';

/** A form of text that a person reads about in words: a `pattern` would answer with the expression instead. */
export function matching(expression: string, message: string): Rule {
  return { rule: `self.matches(r'${expression}')`, message, reason: 'FieldValueInvalid' };
}
