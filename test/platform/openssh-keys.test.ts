import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { parseCredentialKey } from '../../platform/credential-keys';
import { parseOpenSshKey } from '../../platform/openssh-keys';

/** Keys made by ssh-keygen of OpenSSH 9.2, each with its `ssh-keygen -e -m pkcs8` form. */
const LINES = {
  'ecdsa-sha2-nistp256': [
    'AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBNYGHacV8d7fnE4dL8ho41Ro1/tCX6j+bX75bpXiB7FN8FccHAXjMbrydzJjN87jrJ5mxOch/EeiQ1x5VW2df1U=',
    'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE1gYdpxXx3t+cTh0vyGjjVGjX+0JfqP5tfvluleIHsU3wVxwcBeMxuvJ3MmM3zuOsnmbE5yH8R6JDXHlVbZ1/VQ==',
  ],
  'ecdsa-sha2-nistp384': [
    'AAAAE2VjZHNhLXNoYTItbmlzdHAzODQAAAAIbmlzdHAzODQAAABhBJAt7MHWPNoMfzeV8Z4fNABQi04o21a6Ah6SOiLrDUD4QcKw0w8o+pnzR7gGbIVmla+nLNLa3+CKsqp/Td04YRuwbOTX06HsqhgPITtxYCxpVyJgbmkTuNLDn2ewox3vUw==',
    'MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAEkC3swdY82gx/N5Xxnh80AFCLTijbVroCHpI6IusNQPhBwrDTDyj6mfNHuAZshWaVr6cs0trf4Iqyqn9N3ThhG7Bs5NfToeyqGA8hO3FgLGlXImBuaRO40sOfZ7CjHe9T',
  ],
  'ecdsa-sha2-nistp521': [
    'AAAAE2VjZHNhLXNoYTItbmlzdHA1MjEAAAAIbmlzdHA1MjEAAACFBABBLl6zwfYJvZAvWE8GlME0nsa7/L/jhxpygaW062OAXtWDoZLjg5RMit5lQ1IcyIDwIS1cgBPfxWBawb/7049U0gFY4WbRVV/ce74xJpoIZwEvpY6tXC+uWT2rEKZJB+UObT8EQOHcE1Nf5Xe2tMwiT8exPJDMCCK1GIWvz0xvwJqlMg==',
    'MIGbMBAGByqGSM49AgEGBSuBBAAjA4GGAAQAQS5es8H2Cb2QL1hPBpTBNJ7Gu/y/44cacoGltOtjgF7Vg6GS44OUTIreZUNSHMiA8CEtXIAT38VgWsG/+9OPVNIBWOFm0VVf3Hu+MSaaCGcBL6WOrVwvrlk9qxCmSQflDm0/BEDh3BNTX+V3trTMIk/HsTyQzAgitRiFr89Mb8CapTI=',
  ],
  'ssh-rsa': [
    'AAAAB3NzaC1yc2EAAAADAQABAAABAQDB6mZAzKh8DMuL+uNT/1Bp9wL+dlBktfsr8tvXfIiV/JEPn67TuiTlX6O+VdL09FQgKbxlJQcRVwG8STK4CPFDpHFIZUOnkN/UJFrkXgfS4Hd4p57sDh/JypW96nyANgwjhQs5Wg+1SZvQLhJ8fk6KtJB5T3h2R7BpkxeDtTK1iaSaZIJbkch7s7kQRK4tj39tLAdw97C/IO75RjobVUzQpZweZ3nHIhYrgUClQLM1Itn/+xymw6tDqeQ38ipobykXBw4rGfN8zg+UpNshoBwa+x10NXpwUFTbWsIMN9dLMCg7j17T3ROSEfOpcGhxT0xukSLi7AgkxRsYyOxy1jnX',
    'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAwepmQMyofAzLi/rjU/9QafcC/nZQZLX7K/Lb13yIlfyRD5+u07ok5V+jvlXS9PRUICm8ZSUHEVcBvEkyuAjxQ6RxSGVDp5Df1CRa5F4H0uB3eKee7A4fycqVvep8gDYMI4ULOVoPtUmb0C4SfH5OirSQeU94dkewaZMXg7UytYmkmmSCW5HIe7O5EESuLY9/bSwHcPewvyDu+UY6G1VM0KWcHmd5xyIWK4FApUCzNSLZ//scpsOrQ6nkN/IqaG8pFwcOKxnzfM4PlKTbIaAcGvsddDV6cFBU21rCDDfXSzAoO49e090TkhHzqXBocU9MbpEi4uwIJMUbGMjsctY51wIDAQAB',
  ],
} as const;
/** Also made by ssh-keygen, which does not export Ed25519 as PKCS#8. The point comes from the line and from `ssh-keygen -lv`. */
const ED25519 = 'AAAAC3NzaC1lZDI1NTE5AAAAIBlqsakAN9rL8nbfBQI78J2yPbzD11CBAbp9jpLjT3VW';
const ED25519_POINT = '196ab1a90037dacbf276df05023bf09db23dbcc3d7508101ba7d8e92e34f7556';
const SHORT_RSA =
  'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQC484ts1XnM7THH0iD7FsWXFxF3nslrUC5AwtuDi5+AB6SZ9xwE5RA3qgo9qbTLDaqzY3+zD8F7gku9k13FdWPRg/BhqLBSml1BGTuTBCz+wYvOCncKrZDbC6L4XfQ0Ky9Z6CkFJDE/jJRFYict/bB14pN8XfLwTC2iPWInDR743w==';

const fieldOf = (bytes: Buffer | string) => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(Buffer.byteLength(bytes));
  return Buffer.concat([length, Buffer.from(bytes)]);
};
const lineOf = (algorithm: string, ...fields: readonly Buffer[]) =>
  `${algorithm} ${Buffer.concat([fieldOf(algorithm), ...fields]).toString('base64')}`;

test.each(Object.entries(LINES))('%s is the same key as in the PKCS#8 form', (algorithm, [line, spki]) => {
  const key = createPublicKey({ key: Buffer.from(spki, 'base64'), format: 'der', type: 'spki' });
  for (const text of [`${algorithm} ${line} somebody@laptop\n`, `${algorithm} ${line}`, `${algorithm}  ${line}\t\r\n`]) {
    expect(parseCredentialKey(text).equals(key)).toBe(true);
  }
});

test('ssh-ed25519 has the point of its line', () => {
  const key = parseCredentialKey(`ssh-ed25519 ${ED25519} somebody@laptop`);
  expect(key.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex')).toBe(ED25519_POINT);
});

test('secp256k1 is read in the format of the other curves, even though OpenSSH does not make such keys', () => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
  const point = publicKey.export({ format: 'der', type: 'spki' }).subarray(-65);
  expect(parseCredentialKey(lineOf('ecdsa-sha2-secp256k1', fieldOf('secp256k1'), fieldOf(point))).equals(publicKey)).toBe(true);
});

test.each([
  ['a short RSA key', SHORT_RSA, /2048 to 8192/],
  ['DSA', lineOf('ssh-dss', fieldOf('x')), /must be ssh-ed25519/],
  ['a security key of OpenSSH', lineOf('sk-ssh-ed25519@openssh.com', fieldOf('x')), /one PEM block/],
  ['a line whose text and data contain different algorithms', `ssh-rsa ${ED25519}`, /two algorithms/],
  ['two curves', `ecdsa-sha2-nistp384 ${lineOf('ecdsa-sha2-nistp384', fieldOf('nistp256')).split(' ')[1]}`, /two curves/],
  ['bytes after the key', lineOf('ssh-ed25519', fieldOf(Buffer.from(ED25519_POINT, 'hex')), Buffer.from('x')), /trailing/],
  ['a point that is cut short', lineOf('ssh-ed25519', fieldOf(Buffer.alloc(31, 1))), /wrong length/],
  ['a length beyond the end', `ssh-ed25519 ${Buffer.from('ffffffff00', 'hex').toString('base64')}`, /truncated/],
  ['a compressed point', lineOf('ecdsa-sha2-nistp256', fieldOf('nistp256'), fieldOf(Buffer.alloc(33, 2))), /uncompressed/],
  [
    'a point that is not on the curve',
    lineOf('ecdsa-sha2-nistp256', fieldOf('nistp256'), fieldOf(Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 1)]))),
    /./,
  ],
  ['a point of small order', lineOf('ssh-ed25519', fieldOf(Buffer.alloc(32))), /small order/],
  ['data that is not base64', 'ssh-ed25519 !!!!', /not base64/],
  ['an algorithm without data', 'ssh-ed25519 ', /not base64/],
  ['options before the key', `from="10.0.0.0/8" ssh-ed25519 ${ED25519}`, /one PEM block/],
  [
    'a private key',
    '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjE=\n-----END OPENSSH PRIVATE KEY-----\n',
    /one PEM block/,
  ],
])('%s is refused', (_name, line, reason) => {
  expect(() => parseCredentialKey(line)).toThrow(reason);
});

test('a line that is truncated anywhere is refused and never read beyond its end', () => {
  const bytes = Buffer.from(LINES['ecdsa-sha2-nistp256'][0], 'base64');
  for (let length = 0; length < bytes.length; length += 1) {
    expect(() => parseOpenSshKey(`ecdsa-sha2-nistp256 ${bytes.subarray(0, length).toString('base64')}`)).toThrow();
  }
});
