import { X509Certificate } from 'node:crypto';

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

/** The validity of the first certificate of a PEM text. The certificates of the issuers follow the first certificate. */
export const leafValidity = (pem: Uint8Array): CertificateLife => validityOf(blocksOf(pem)[0] ?? '');

/** The validity of the authority that expires last. During a replacement, the old authority is still listed and may expire. */
export const authorityValidity = (pem: Uint8Array): CertificateLife =>
  blocksOf(pem)
    .map(validityOf)
    .reduce((last, one) => (one.untilMs > last.untilMs ? one : last));
