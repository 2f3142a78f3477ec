import type { Rule } from './schema.ts';

const label = '[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?';

/** A last label that is a number makes programs read the whole as an IPv4 address (WHATWG URL, "ends in a number"). */
const numericEnd = String.raw`(^|\.)([0-9]+|0[xX][0-9a-fA-F]*)$`;

/** CEL: an IP address, or DNS labels (RFC 1123) after `prefix`, a regular expression. */
function hostRule(prefix: string): string {
  const name = String.raw`^${prefix}(${label}\.)*${label}$`;
  return `isIP(self) || (self.matches(r'${name}') && !self.matches(r'${numericEnd}'))`;
}

const labels = 'labels of at most 63 letters, digits and dashes, joined by single dots';

/** A DNS name or an IP address, as clients dial it. */
export const hostName: Rule = {
  rule: hostRule(''),
  message: `must be an IP address such as 192.0.2.7 or 2001:db8::7 (no brackets), or a DNS name such as api.example.org: ${labels}; the last one may not be a number`,
  reason: 'FieldValueInvalid',
};

/** What a certificate can name: a DNS name, with a wildcard too, or an IP address (RFC 5280 section 4.2.1.6). */
export const certificateName: Rule = {
  rule: hostRule(String.raw`(\*\.)?`),
  message: `must be an IP address such as 192.0.2.7 or 2001:db8::7 (no brackets), or a DNS name such as api.example.org or *.example.org: ${labels}; the last one may not be a number`,
  reason: 'FieldValueInvalid',
};
