const certificateBlock = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

/** The certificates in a PEM text, in order, each as a text of its own. Anything around them is dropped. */
export function splitPem(text: string): string[] {
  return text.match(certificateBlock) ?? [];
}
