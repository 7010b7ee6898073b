import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import type { FleetCurve } from '../../../domain/fleets';
import { isProvenKey, keyProofDigest, type ProvenKey } from '../../../platform/fleets/key-proofs';

const PLACE = { storeId: 'vault', groupId: 'group-1' };
const SECRETS = { secp256k1: secp256k1.utils.randomSecretKey(), ed25519: ed25519.utils.randomSecretKey() };
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** Made with another library than the one that verifies. */
function proven(curve: FleetCurve): ProvenKey {
  const secret = SECRETS[curve];
  const publicKey = hex(curve === 'ed25519' ? ed25519.getPublicKey(secret) : secp256k1.getPublicKey(secret, true));
  const key = { curve, index: 7, publicKey };
  const digest = keyProofDigest(key, PLACE);
  const proof =
    curve === 'ed25519' ? ed25519.sign(digest, secret) : secp256k1.sign(digest, secret, { prehash: false, lowS: true });
  return { ...key, proof: hex(proof) };
}

describe.each(['secp256k1', 'ed25519'] as const)('a key on %s', (curve) => {
  test('is proven for its group, store, index and curve only', async () => {
    const key = proven(curve);
    expect(await isProvenKey(key, PLACE)).toBe(true);
    expect(await isProvenKey({ ...key, index: 8 }, PLACE)).toBe(false);
    for (const place of [
      { ...PLACE, groupId: 'group-2' },
      { ...PLACE, storeId: 'other' },
    ])
      expect(await isProvenKey(key, place)).toBe(false);
    expect(await isProvenKey({ ...key, curve: curve === 'ed25519' ? 'secp256k1' : 'ed25519' }, PLACE)).toBe(false);
  });

  test('is not proven if any byte of the proof or of the key changes', async () => {
    const key = proven(curve);
    const flipped = (text: string, at: number) =>
      text.slice(0, at) + ((Number.parseInt(text.charAt(at), 16) ^ 1) >>> 0).toString(16) + text.slice(at + 1);
    for (const at of [0, 31, 63, 64, 100, 127])
      expect(await isProvenKey({ ...key, proof: flipped(key.proof, at) }, PLACE)).toBe(false);
    for (const at of [3, 31, 63]) expect(await isProvenKey({ ...key, publicKey: flipped(key.publicKey, at) }, PLACE)).toBe(false);
  });

  test('has one length', async () => {
    const key = proven(curve);
    expect(await isProvenKey({ ...key, publicKey: `${key.publicKey}00` }, PLACE)).toBe(false);
    expect(await isProvenKey({ ...key, publicKey: key.publicKey.slice(2) }, PLACE)).toBe(false);
    expect(await isProvenKey({ ...key, proof: key.proof.slice(2) }, PLACE)).toBe(false);
  });
});

test('of the two values of s that ECDSA accepts, only the lower one is a proof', async () => {
  const key = proven('secp256k1');
  const { ORDER } = secp256k1.Point.Fn;
  const higher = ORDER - BigInt(`0x${key.proof.slice(64)}`);
  const proof = key.proof.slice(0, 64) + higher.toString(16).padStart(64, '0');
  const isValid = secp256k1.verify(Buffer.from(proof, 'hex'), keyProofDigest(key, PLACE), Buffer.from(key.publicKey, 'hex'), {
    prehash: false,
    lowS: false,
  });
  expect(isValid).toBe(true);
  expect(await isProvenKey({ ...key, proof }, PLACE)).toBe(false);
});

/** The eight points of small order of Ed25519: anyone can make signatures that such a key verifies. */
test.each(ed25519Small())('a key of small order is never proven (%s)', async (publicKey) => {
  // With R equal to the neutral point and s = 0, the equation holds whenever the hash is a multiple of the order of the key.
  const proof = `01${'0'.repeat(62)}${'0'.repeat(64)}`;
  for (let index = 0; index < 16; index += 1)
    expect(await isProvenKey({ curve: 'ed25519', index, publicKey, proof }, PLACE)).toBe(false);
});

function ed25519Small(): readonly string[] {
  const neutral = `01${'0'.repeat(62)}`;
  const ofOrderTwo = `ec${'f'.repeat(60)}7f`;
  const ofOrderFour = ['0'.repeat(64), `${'0'.repeat(62)}80`];
  const ofOrderEight = [
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  ];
  return [neutral, ofOrderTwo, ...ofOrderFour, ...ofOrderEight];
}
