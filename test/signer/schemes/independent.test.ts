import { createHash, createPublicKey, verify } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { taprootTweakPubkey } from '@scure/btc-signer/utils.js';
import fc from 'fast-check';
import { recoverPublicKey, serializeSignature } from 'viem';
import { schemeOf } from '../../../signer/schemes/scheme';
import { taprootOutputKey } from '../../../signer/schemes/schnorr';
import { KEYS, signBoth } from './both-arithmetics';

const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;
const messages = fc.uint8Array({ maxLength: 200 });
const sha256 = (message: Uint8Array) => createHash('sha256').update(message).digest();
const joined = ({ r, s }: { r: string; s: string }) => Buffer.from(r.slice(2) + s.slice(2), 'hex');

/** SubjectPublicKeyInfo of a compressed point on secp256k1 (RFC 5480). */
const opensslKeyOf = (publicKeyHex: string) =>
  createPublicKey({
    key: Buffer.from(`3036301006072a8648ce3d020106052b8104000a032200${publicKeyHex}`, 'hex'),
    format: 'der',
    type: 'spki',
  });

test('OpenSSL verifies every ECDSA signature, viem recovers its key, and s is the lower one', async () => {
  const code = schemeOf(KEYS.ecdsa);
  const property = fc.asyncProperty(messages, async (message) => {
    const secret = code.createSecret();
    const publicKeyHex = code.publicKeyHexOf(secret);
    for (const signature of await signBoth(KEYS.ecdsa, secret, sha256(message))) {
      const openssl = { key: opensslKeyOf(publicKeyHex), dsaEncoding: 'ieee-p1363' } as const;
      expect(verify('sha256', message, openssl, joined(signature))).toBe(true);
      expect(BigInt(signature.s) <= HALF_ORDER).toBe(true);
      const { r, s, recoveryId } = signature;
      const hash = `0x${sha256(message).toString('hex')}` as const;
      const found = await recoverPublicKey({ hash, signature: serializeSignature({ r, s, yParity: recoveryId ?? 9 }) });
      expect(found.slice(4, 68)).toBe(publicKeyHex.slice(2));
      expect(Number.parseInt(found.slice(-1), 16) % 2 === 0).toBe(publicKeyHex.startsWith('02'));
    }
  });
  await fc.assert(property, { numRuns: 40 });
});

test('an independent library verifies every Ed25519 signature', async () => {
  const code = schemeOf(KEYS.eddsa);
  const property = fc.asyncProperty(messages, async (message) => {
    const secret = code.createSecret();
    expect(Buffer.from(ed25519.getPublicKey(secret)).toString('hex')).toBe(code.publicKeyHexOf(secret));
    for (const signature of await signBoth(KEYS.eddsa, secret, message))
      expect(ed25519.verify(joined(signature), message, Buffer.from(code.publicKeyHexOf(secret), 'hex'))).toBe(true);
  });
  await fc.assert(property, { numRuns: 40 });
});

test('the output key of a Taproot address equals the key that an independent Bitcoin library computes', () => {
  const code = schemeOf(KEYS.schnorr);
  const roots = fc.oneof(fc.constant(new Uint8Array(0)), fc.uint8Array({ minLength: 32, maxLength: 32 }));
  const property = fc.property(roots, (root) => {
    const internal = Buffer.from(code.publicKeyHexOf(code.createSecret()), 'hex');
    expect(Buffer.from(taprootOutputKey(internal, root)).equals(taprootTweakPubkey(internal, root)[0])).toBe(true);
  });
  fc.assert(property, { numRuns: 40 });
});
