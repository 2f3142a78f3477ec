// oxlint-disable-next-line import/no-unassigned-import -- tsyringe, below the library, needs what it adds to Reflect
import 'reflect-metadata';

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
