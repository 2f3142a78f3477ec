// oxlint-disable-next-line import/no-unassigned-import -- it is imported for what it does to Reflect
import './reflect-metadata.ts';

/** The one place where the certificate library is loaded, after what it needs. */
export {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
  type Extension,
  type JsonGeneralNames,
  type JsonName,
} from '@peculiar/x509';
