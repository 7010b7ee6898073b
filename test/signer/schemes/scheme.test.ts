import { KEY_FORMS } from '../../../domain/keys';
import { schemeOf } from '../../../signer/schemes/scheme';

describe.each(KEY_FORMS)('$scheme on $curve', (form) => {
  const code = schemeOf(form);
  const secret = code.createSecret();
  const digest = Buffer.alloc(32, 3);

  test('a new secret is valid, and its public key has the length that rows expect', () => {
    expect(code.isSecret(secret)).toBe(true);
    expect(code.publicKeyHexOf(secret)).toHaveLength(form.publicKeyBytes * 2);
  });

  test('secrets of a different length are invalid', () => {
    expect(code.isSecret(secret.subarray(1))).toBe(false);
    expect(code.isSecret(Buffer.concat([secret, Buffer.alloc(1)]))).toBe(false);
    expect(code.isSecret(Buffer.alloc(0))).toBe(false);
  });

  if (form.scheme === 'DH') {
    test('the key does not sign', () => {
      expect(() => code.sign(digest, secret, code.publicKeyHexOf(secret))).toThrow('signs nothing');
    });
    return;
  }

  test('one message always has one signature', () => {
    const publicKeyHex = code.publicKeyHexOf(secret);
    expect(code.sign(digest, secret, publicKeyHex)).toEqual(code.sign(digest, secret, publicKeyHex));
  });

  test('a signature is not returned if it does not verify under the registered public key', () => {
    const other = code.publicKeyHexOf(code.createSecret());
    expect(() => code.sign(digest, secret, other)).toThrow();
  });
});

test('a scheme is refused on a curve that it does not support', () => {
  expect(() => schemeOf({ scheme: 'EdDSA', curve: 'secp256k1' })).toThrow('there is no EdDSA on secp256k1');
});
