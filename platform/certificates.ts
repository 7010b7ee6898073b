import { X509Certificate } from 'node:crypto';

/** The time in which a certificate counts. */
export type CertificateLife = { readonly fromMs: number; readonly untilMs: number };

const BLOCK = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

function validityOf(pem: string): CertificateLife {
  const { validFrom, validTo } = new X509Certificate(pem);
  return { fromMs: Date.parse(validFrom), untilMs: Date.parse(validTo) };
}

const blocksOf = (pem: Uint8Array): readonly string[] => {
  const blocks = Buffer.from(pem).toString('latin1').match(BLOCK);
  if (!blocks) throw new Error('There is no certificate in this text');
  return blocks;
};

/** The life of a certificate, which stands before those that signed it. */
export const leafValidity = (pem: Uint8Array): CertificateLife => validityOf(blocksOf(pem)[0] ?? '');

/** The life of the authority that lasts longest: while authorities are exchanged the old one stands beside the new one, and may end. */
export const authorityValidity = (pem: Uint8Array): CertificateLife =>
  blocksOf(pem)
    .map(validityOf)
    .reduce((last, one) => (one.untilMs > last.untilMs ? one : last));
