import { createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { parseCredentialKey, verifyAssertion } from '../../platform/credential-keys';

const pemOf = (key: KeyObject) => key.export({ format: 'pem', type: 'spki' }).toString();
const ed25519Pem = (hex: string) =>
  `-----BEGIN PUBLIC KEY-----\n${Buffer.from(`302a300506032b6570032100${hex}`, 'hex').toString('base64')}\n-----END PUBLIC KEY-----\n`;

/**
 * A key with a modulus of this length. The factors of the modulus are unknown, because generating such a long key would take
 * minutes.
 */
function rsaOf(bits: number): KeyObject {
  const n = Buffer.alloc(Math.ceil(bits / 8), 0xff);
  n[0] = 0xff >> (n.length * 8 - bits);
  return createPublicKey({ key: { kty: 'RSA', n: n.toString('base64url'), e: 'AQAB' }, format: 'jwk' });
}

/** Two keys with explicit parameters, from `openssl ecparam -param_enc explicit`. Node reports them under the curves' names. */
const EXPLICIT_SECP256K1 = `-----BEGIN PUBLIC KEY-----
MIIBMzCB7AYHKoZIzj0CATCB4AIBATAsBgcqhkjOPQEBAiEA////////////////
/////////////////////v///C8wRAQgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
AAAAAAAAAAAEIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAHBEEEeb5m
fvncu6xVoGKVzocLBwKb/NstzijZWfKBWxb4F5hIOtp3JqPEZV2k+/wOEQio/Re0
SKaFVBmcR9CP+xDUuAIhAP////////////////////66rtzmr0igO7/SXozQNkFB
AgEBA0IABA1gtRojWrAmYBOgixsIpJKqVXrebBW+qsFMHnKJ3AVY3xoiW4Kq2mhM
LYya16lDdem572xfANX28RkvymnONGg=
-----END PUBLIC KEY-----
`;
const EXPLICIT_P256 = `-----BEGIN PUBLIC KEY-----
MIIBSzCCAQMGByqGSM49AgEwgfcCAQEwLAYHKoZIzj0BAQIhAP////8AAAABAAAA
AAAAAAAAAAAA////////////////MFsEIP////8AAAABAAAAAAAAAAAAAAAA////
///////////8BCBaxjXYqjqT57PrvVV2mIa8ZR0GsMxTsPY7zjw+J9JgSwMVAMSd
NgiG5wSTamZ44ROdJreBn36QBEEEaxfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5
RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9QIhAP////8AAAAA
//////////+85vqtpxeehPO5ysL8YyVRAgEBA0IABK2FoScjoPoQcSPF6tRwBVGU
2wnyCafAFIadFPWZD1rrhqN8l3L8iC/A0Ldu/bk41D/PEJ6lQnWu1Ir2xBt/DpQ=
-----END PUBLIC KEY-----
`;

test.each([
  ['Ed25519', generateKeyPairSync('ed25519').publicKey],
  ['P-256', generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey],
  ['P-384', generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey],
  ['P-521', generateKeyPairSync('ec', { namedCurve: 'P-521' }).publicKey],
  ['secp256k1', generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).publicKey],
  ['RSA of 2048 bits', generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey],
  ['RSA of 8192 bits', rsaOf(8_192)],
])('%s is a credential key', (_name, key) => {
  expect(parseCredentialKey(pemOf(key)).equals(key)).toBe(true);
});

test('RSA as PKCS#1 is a credential key', () => {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  expect(parseCredentialKey(publicKey.export({ format: 'pem', type: 'pkcs1' }).toString()).equals(publicKey)).toBe(true);
});

test.each([
  ['brainpoolP256r1', pemOf(generateKeyPairSync('ec', { namedCurve: 'brainpoolP256r1' }).publicKey), /P-521 or secp256k1/],
  ['P-224', pemOf(generateKeyPairSync('ec', { namedCurve: 'P-224' }).publicKey), /P-521 or secp256k1/],
  ['RSA-PSS', pemOf(generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).publicKey), /must be Ed25519/],
  ['DSA', pemOf(generateKeyPairSync('dsa', { modulusLength: 2048, divisorLength: 256 }).publicKey), /must be Ed25519/],
  ['X25519', pemOf(generateKeyPairSync('x25519').publicKey), /must be Ed25519/],
  ['Ed448', pemOf(generateKeyPairSync('ed448').publicKey), /must be Ed25519/],
  ['RSA of 2047 bits', pemOf(rsaOf(2_047)), /2048 to 8192/],
  ['RSA of 8193 bits', pemOf(rsaOf(8_193)), /2048 to 8192/],
  ['RSA of 1024 bits', pemOf(generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey), /2048 to 8192/],
  ['RSA with exponent 3', pemOf(generateKeyPairSync('rsa', { modulusLength: 2048, publicExponent: 3 }).publicKey), /65537/],
  ['secp256k1 by parameters', EXPLICIT_SECP256K1, /named/],
  ['P-256 by parameters', EXPLICIT_P256, /named/],
  [
    'a private key',
    generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    /one PEM block/,
  ],
  ['two keys', pemOf(generateKeyPairSync('ed25519').publicKey).repeat(2), /one PEM block/],
  ['text', 'key', /one PEM block/],
  ['nothing', '', /one PEM block/],
  ['a text that is longer than any key', `-----BEGIN PUBLIC KEY-----\n${'A'.repeat(8_192)}`, /too long/],
  ['text before the block', `x${pemOf(generateKeyPairSync('ed25519').publicKey)}`, /one PEM block/],
  ['a certificate', '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n', /one PEM block/],
  [
    'a private key in the PEM block of a public key',
    `-----BEGIN PUBLIC KEY-----\n${generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')}\n-----END PUBLIC KEY-----\n`,
    /./,
  ],
])('%s is refused', (_name, pem, reason) => {
  expect(() => parseCredentialKey(pem)).toThrow(reason);
});

// The eight points of small order (RFC 7748 §7, as Edwards points). Under such a key a forged signature fits every message.
test.each([
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0000000000000000000000000000000000000000000000000000000000000080',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
])('the Ed25519 point %s of small order is refused', (hex) => {
  expect(() => parseCredentialKey(ed25519Pem(hex))).toThrow(/small order/);
});

test('under a point of small order one signature is valid for every message, if the verifier does not check the key', () => {
  const identity = Buffer.from(`01${'00'.repeat(31)}`, 'hex');
  const key = createPublicKey(ed25519Pem(identity.toString('hex')));
  const forged = Buffer.concat([identity, Buffer.alloc(32)]);
  for (const message of ['approve', 'deny', '']) expect(verify(null, Buffer.from(message), key, forged)).toBe(true);
  expect(() => parseCredentialKey(pemOf(key))).toThrow(/small order/);
});

test('a point outside the group of prime order is refused, and so is a second encoding of a point', () => {
  const order8 = ed25519.Point.fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a');
  const mixed = ed25519.Point.BASE.add(order8).toHex();
  // y = p + 3 is a second encoding of y = 3.
  const twice = 'f0ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f';
  for (const hex of [mixed, twice]) expect(() => parseCredentialKey(ed25519Pem(hex))).toThrow(/not in the group/);
  expect(() => parseCredentialKey(ed25519Pem(ed25519.Point.BASE.toHex()))).not.toThrow();
});

test("explicit parameters that contain their curve's identifier are refused too", () => {
  const tlv = (tag: number, ...values: readonly (Buffer | string)[]) => {
    const value = Buffer.concat(values.map((one) => (typeof one === 'string' ? Buffer.from(one, 'hex') : one)));
    return Buffer.concat([
      Buffer.from(value.length < 128 ? [tag, value.length] : [tag, 0x82, value.length >> 8, value.length & 0xff]),
      value,
    ]);
  };
  const generator =
    '0479be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8';
  const prime = `00${'f'.repeat(55)}efffffc2f`;
  const order = '00fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141';
  // The parameters of secp256k1 as in X9.62, with a seed that contains the identifier of the curve.
  const seed = '0006072a8648ce3d020106052b8104000a03';
  const curve = tlv(0x30, tlv(4, '00'.repeat(32)), tlv(4, `${'00'.repeat(31)}07`), tlv(3, seed));
  const field = tlv(0x30, '06072a8648ce3d0101', tlv(2, prime));
  const parameters = tlv(0x30, tlv(2, '01'), field, curve, tlv(4, generator), tlv(2, order), tlv(2, '01'));
  const der = tlv(0x30, tlv(0x30, '06072a8648ce3d0201', parameters), tlv(3, `00${generator}`));
  const pem = `-----BEGIN PUBLIC KEY-----\n${der.toString('base64')}\n-----END PUBLIC KEY-----\n`;
  expect(createPublicKey(pem).asymmetricKeyDetails).toEqual({ namedCurve: 'secp256k1' });
  expect(() => parseCredentialKey(pem)).toThrow(/must be named/);
});

test('the signature of RFC 8032 §7.1 test 2 verifies, raw and in DER, but not after a change of one bit', () => {
  const key = parseCredentialKey(ed25519Pem('3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c'));
  const signature = Buffer.from(
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    'hex',
  );
  const message = Buffer.from('72', 'hex');
  expect(verifyAssertion(key, message, signature)).toBe(true);
  expect(verifyAssertion(key, message, Buffer.concat([Buffer.from('0440', 'hex'), signature]))).toBe(true);
  expect(verifyAssertion(key, message, Buffer.concat([Buffer.from('034100', 'hex'), signature]))).toBe(true);
  expect(verifyAssertion(key, Buffer.from('73', 'hex'), signature)).toBe(false);
  for (const bad of [
    Buffer.alloc(0),
    Buffer.alloc(64),
    signature.subarray(1),
    Buffer.concat([Buffer.from('0441', 'hex'), signature]),
  ]) {
    expect(verifyAssertion(key, message, bad)).toBe(false);
  }
});

test('an ECDSA signature as r and s instead of DER, or over a different digest, does not verify and does not throw', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = createPublicKey(pemOf(publicKey));
  const data = Buffer.from('data');
  expect(verifyAssertion(key, data, sign('sha256', data, privateKey))).toBe(true);
  expect(verifyAssertion(key, data, sign('sha256', data, { key: privateKey, dsaEncoding: 'ieee-p1363' }))).toBe(false);
  expect(verifyAssertion(key, data, sign('sha512', data, privateKey))).toBe(false);
  expect(verifyAssertion(key, data, sign('sha512', data, privateKey), 'SHA512')).toBe(true);
  expect(verifyAssertion(key, data, sign('sha256', data, privateKey), 'constructor')).toBe(false);
});
