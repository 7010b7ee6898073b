import { createHash } from 'node:crypto';
import { schnorr } from '@noble/curves/secp256k1.js';
import { schemeOf } from '../../../signer/schemes/scheme';
import { KEYS, signBoth } from './both-arithmetics';
import bip340 from './vectors/bip340.json';
import bip341 from './vectors/bip341.json';
import rfc6979 from './vectors/rfc6979.json';
import rfc8032 from './vectors/rfc8032.json';
import stark from './vectors/stark.json';

const bytes = (hex: string) => Buffer.from(hex, 'hex');
const words = (hex: string) => ({ r: `0x${hex.slice(0, 64)}`, s: `0x${hex.slice(64)}` });
const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest();

test.each(rfc6979.vectors)('RFC 6979: $message', async ({ secretKey, message, r, s }) => {
  for (const signature of await signBoth(KEYS.ecdsa, bytes(secretKey), sha256(message)))
    expect(signature).toMatchObject({ r: `0x${r}`, s: `0x${s}` });
});

test.each(rfc8032.vectors)('RFC 8032: key $publicKey', async ({ secretKey, publicKey, message, signature }) => {
  expect(schemeOf(KEYS.eddsa).publicKeyHexOf(bytes(secretKey))).toBe(publicKey);
  for (const made of await signBoth(KEYS.eddsa, bytes(secretKey), bytes(message))) expect(made).toEqual(words(signature));
});

test.each(bip340.vectors)('BIP340: vector $index', async ({ secretKey, publicKey, auxRand, message, signature, isValid }) => {
  expect(schnorr.verify(bytes(signature), bytes(message), bytes(publicKey))).toBe(isValid);
  if (secretKey === undefined) return;
  expect(schemeOf(KEYS.schnorr).publicKeyHexOf(bytes(secretKey))).toBe(publicKey);
  const made = await signBoth(KEYS.schnorr, bytes(secretKey), bytes(message));
  // The other vectors were made with auxiliary bytes, which the signer never uses.
  if (/^0+$/.test(auxRand ?? '')) for (const one of made) expect(one).toEqual(words(signature));
});

test.each(bip341.vectors)(
  'BIP341: internal key $internalKey',
  async ({ secretKey, internalKey, merkleRoot, sighash, signature }) => {
    expect(schemeOf(KEYS.schnorr).publicKeyHexOf(bytes(secretKey))).toBe(internalKey);
    for (const made of await signBoth(KEYS.schnorr, bytes(secretKey), bytes(sighash), bytes(merkleRoot)))
      expect(made).toEqual(words(signature));
  },
);

test.each(stark.vectors)('STARK: digest $message', async ({ message, r, s }) => {
  expect(schemeOf(KEYS.stark).publicKeyHexOf(bytes(stark.secretKey))).toBe(stark.publicKey);
  for (const made of await signBoth(KEYS.stark, bytes(stark.secretKey), bytes(message)))
    expect(made).toMatchObject({ r: `0x${r}`, s: `0x${s}` });
});

test('a STARK digest of 2^251 or more is refused, and the largest below is signed', () => {
  const code = schemeOf(KEYS.stark);
  const secret = bytes(stark.secretKey);
  expect(() => code.sign(bytes(`08${'00'.repeat(31)}`), secret, stark.publicKey)).toThrow('below 2^251');
  expect(code.sign(bytes(`07${'ff'.repeat(31)}`), secret, stark.publicKey)).toMatchObject({ r: expect.any(String) });
});
