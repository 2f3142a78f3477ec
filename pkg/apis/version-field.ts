import { string, type Rule } from './schema.ts';
import { supportedVersionsText, versionPattern, versionRows } from './versions.ts';

const minors = versionRows.map((row) => `self.startsWith('v1.${row.minor}.')`).join(' || ');

/** Refuses what has no row in the version table; applied to every `version` field. */
const supportedVersion: Rule = {
  rule: `self.matches(r'${versionPattern}') && (${minors})`,
  message: `this Kubernetes version is not supported; supported are ${supportedVersionsText()}, written like ${versionRows[0].tested}`,
  messageExpression: `'Kubernetes version ' + self + ' is not supported; supported are ${supportedVersionsText()}, written like ${versionRows[0].tested}'`,
  reason: 'FieldValueInvalid',
};

/** `version` of a control plane or component. @param description is followed by the supported versions */
export function versionField(description: string) {
  const supported = `Supported: ${supportedVersionsText()}.`;
  return string({ description: `${description} ${supported}`, maxLength: 16, rules: [supportedVersion] });
}
