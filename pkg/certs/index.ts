/**
 * Certificates: making authorities, issuing leaves, finding out what is wrong with one, rendering kubeconfigs.
 *
 * Start at `leaf-certificates.ts`: the table of every certificate that a control plane has, with the reason for each.
 * `inspect.ts` says why one has to be issued anew, or why a user's own authority cannot be used.
 *
 * This room never talks to a cluster and reads no clock: the time is passed in. Issuing reads random numbers.
 */
export {
  apiServerCertificates,
  authorityLifetimeDays,
  controlPlaneUri,
  etcdCertificates,
  internalServer,
  kubeconfigCertificates,
  leafCertificates,
  leafLifetimeDays,
} from './leaf-certificates.ts';
export type { LeafInputs, LeafRow } from './leaf-certificates.ts';
export { generateCertificateAuthority, type AuthoritySpec } from './authority.ts';
export { issueCertificate } from './leaf.ts';
export { inspectAuthority, inspectCertificate, type AuthorityRules, type ExpectedCertificate } from './inspect.ts';
export type { Finding } from './finding.ts';
export { describeCertificate, type CertificateDescription } from './describe.ts';
export {
  certificateOfKubeconfig,
  inspectKubeconfig,
  renderKubeconfig,
  type ExpectedKubeconfig,
  type KubeconfigInput,
} from './kubeconfig.ts';
export { generateServiceAccountKey, inspectServiceAccountKey, type ServiceAccountKey } from './service-account-key.ts';
export type { CertificateSpec, CertificateUsage } from './certificate-spec.ts';
export type { CertificateAuthority, KeyPairPem } from './key-pair.ts';
