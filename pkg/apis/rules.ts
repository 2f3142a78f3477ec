import type { Rule } from './schema.ts';

/** A form of text that a person reads about in words: a `pattern` would answer with the expression instead. */
export function matching(expression: string, message: string): Rule {
  return { rule: `self.matches(r'${expression}')`, message, reason: 'FieldValueInvalid' };
}

/** The formats of Kubernetes that CEL knows by name (Kubernetes 1.32) and that we ask for. */
type NamedFormat = 'dns1123Subdomain' | 'labelValue' | 'qualifiedName';

/** CEL that says whether `text` has one of Kubernetes' own formats, as the API server checks it in pods. */
export function hasFormat(format: NamedFormat, text = 'self'): string {
  return `!format.${format}().validate(${text}).hasValue()`;
}

/** The name of another object. */
export function objectName(what: string): Rule {
  return {
    rule: hasFormat('dns1123Subdomain'),
    message: `must be the name of a ${what}: lower-case letters, digits, dashes and dots, starting and ending with a letter or digit`,
    reason: 'FieldValueInvalid',
  };
}
