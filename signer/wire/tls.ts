import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { type CertificateLife, leafValidity } from '../../platform/certificates';
import type { SignerPlace, TcpPlace, TlsIdentity } from '../../platform/signer-place';

/**
 * Only TLS 1.3 (RFC 8446), because a connection that allows older versions can be downgraded. Only our own authority is
 * trusted.
 */
export const TLS_RULES = { minVersion: 'TLSv1.3', maxVersion: 'TLSv1.3', rejectUnauthorized: true } as const;

/**
 * Reads the files for every context, because short-lived certificates are replaced while the process runs. Throws if a file
 * cannot be read, or if others may read the key file.
 */
export function readCredentials({ folder }: TlsIdentity): { ca: Buffer; cert: Buffer; key: Buffer } {
  const mode = statSync(join(folder, 'key.pem')).mode & 0o777;
  if ((mode & 0o177) !== 0) throw new Error(`key.pem has mode 0${mode.toString(8)}; only its owner may read it (0400 or 0600)`);
  const read = (name: string) => readFileSync(join(folder, name));
  return { ca: read('ca.pem'), cert: read('certificate.pem'), key: read('key.pem') };
}

/** Null for a Unix socket. The file is read each time, because the certificate is replaced while the process runs. */
export const certificateAt = (place: SignerPlace): CertificateLife | null =>
  'host' in place ? leafValidity(readFileSync(join(place.tls.folder, 'certificate.pem'))) : null;

/** Only subject alternative names are accepted. The certificate's subject and wildcards are ignored. */
export function isNamed(certificate: X509Certificate, names: readonly string[]): boolean {
  return names.some((name) =>
    isIP(name) > 0
      ? certificate.checkIP(name) !== undefined
      : certificate.checkHost(name, { subject: 'never', wildcards: false }) !== undefined,
  );
}

export function clientOptions({ host, port, tls }: TcpPlace) {
  return {
    ...TLS_RULES,
    ...readCredentials(tls),
    host,
    port,
    ...(isIP(host) > 0 ? {} : { servername: host }),
    checkServerIdentity: (_host: string, { raw }: { readonly raw: Buffer }) =>
      isNamed(new X509Certificate(raw), tls.names) ? undefined : new Error('the certificate has a different name'),
  };
}
