import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** This file builds X.509 certificates (RFC 5280) with Ed25519 keys (RFC 8410), so that a test needs no other program. */
const tlv = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const size = body.length;
  const long = size < 256 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  const length = size < 128 ? [size] : long;
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
};
const sequence = (...parts: readonly Buffer[]) => tlv(0x30, ...parts);
const oid = (hex: string) => tlv(0x06, Buffer.from(hex, 'hex'));
const octets = (body: Buffer) => tlv(0x04, body);
const bits = (body: Buffer) => tlv(0x03, Buffer.from([0]), body);
const YES = Buffer.from([0x01, 0x01, 0xff]);
const ED25519 = sequence(oid('2b6570'));
const nameOf = (text: string) => sequence(tlv(0x31, sequence(oid('550403'), tlv(0x0c, Buffer.from(text)))));
/** A UTCTime has two digits for the year, and is the required form until 2049 (RFC 5280 §4.1.2.5). */
const timeOf = (ms: number) => tlv(0x17, Buffer.from(`${new Date(ms).toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`));
const pem = (der: Buffer) =>
  `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;

const BASIC_CONSTRAINTS = '551d13';
const ALTERNATIVE_NAMES = '551d11';
const EXTENDED_KEY_USAGE = '551d25';
const PURPOSES = { server: '2b06010505070301', client: '2b06010505070302' };

type Wanted = {
  readonly name: string;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  readonly extensions: readonly Buffer[];
};

function certificate(wanted: Wanted, publicKey: KeyObject, issuer: string, issuerKey: KeyObject): string {
  const serial = tlv(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)]));
  const tbs = sequence(
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    serial,
    ED25519,
    nameOf(issuer),
    sequence(timeOf(wanted.notBeforeMs), timeOf(wanted.notAfterMs)),
    nameOf(wanted.name),
    publicKey.export({ format: 'der', type: 'spki' }),
    tlv(0xa3, sequence(...wanted.extensions)),
  );
  return pem(sequence(tbs, ED25519, bits(sign(null, tbs, issuerKey))));
}

const DAY_MS = 86_400_000;

export type CertificateWish = {
  /** DNS names of the subject alternative name. */
  readonly names: readonly string[];
  readonly purpose?: keyof typeof PURPOSES;
  readonly notAfterMs?: number;
};

/** Creates a certificate authority for a test. `issue` writes a folder with `ca.pem`, `certificate.pem` and `key.pem`. */
export function createAuthority(name = 'test authority') {
  const { privateKey } = generateKeyPairSync('ed25519');
  const now = Date.now();
  const life = { notBeforeMs: now - DAY_MS, notAfterMs: now + DAY_MS };
  const isAuthority = sequence(oid(BASIC_CONSTRAINTS), YES, octets(sequence(YES)));
  const ca = certificate({ name, ...life, extensions: [isAuthority] }, createPublicKey(privateKey), name, privateKey);

  return {
    ca,
    issue(folder: string, { names, purpose = 'client', notAfterMs = life.notAfterMs }: CertificateWish): string {
      const own = generateKeyPairSync('ed25519');
      const alternatives = names.map((text) => tlv(0x82, Buffer.from(text)));
      const extensions = [
        sequence(oid(EXTENDED_KEY_USAGE), octets(sequence(oid(PURPOSES[purpose])))),
        ...(names.length === 0 ? [] : [sequence(oid(ALTERNATIVE_NAMES), octets(sequence(...alternatives)))]),
      ];
      // The subject has a name even without alternative names, so that a test catches a check of the subject.
      const wanted = { name: names[0] ?? 'worker.test', notBeforeMs: life.notBeforeMs, notAfterMs, extensions };
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(join(folder, 'ca.pem'), ca);
      writeFileSync(join(folder, 'certificate.pem'), certificate(wanted, own.publicKey, name, privateKey));
      writeFileSync(join(folder, 'key.pem'), own.privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 });
      return folder;
    },
  };
}
