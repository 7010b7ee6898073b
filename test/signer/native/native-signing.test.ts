import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { createDek, openDek, sealKey } from '../../../signer/keys/envelope';
import { createPortableSigning, type SealedKeyOrder, type SealedSigning } from '../../../signer/keys/sealed-signing';
import { loadAddon } from '../../../signer/native/addon';
import { DATA_KEYS_HELD_MAX, HELD_MS_MAX } from '../../../signer/native/held-data-keys';
import { createNativeSigning } from '../../../signer/native/native-signing';
import type { DekRow } from '../../../signer/protocol';
import { schemeOf } from '../../../signer/schemes/scheme';
import { flippedHex } from '../../support/flipped-hex';
import { HAS_NATIVE, NATIVE_FILE } from '../../support/native-arithmetic';
import { kekOf, ORG, refusedAs } from '../fixtures';

const ECDSA = { scheme: 'ECDSA', curve: 'secp256k1' } as const;
const SCHNORR = { scheme: 'Schnorr', curve: 'secp256k1' } as const;
const EDDSA = { scheme: 'EdDSA', curve: 'ed25519' } as const;
const STARK = { scheme: 'ECDSA', curve: 'stark' } as const;
type Form = typeof ECDSA | typeof SCHNORR | typeof EDDSA | typeof STARK;

const kek = kekOf(3);
const DIGEST = Buffer.alloc(32, 9);
let dek: DekRow;
let plainDek: Buffer;
let nowMs = 0;

beforeAll(async () => {
  dek = await createDek(kek, ORG);
  plainDek = await openDek(kek, dek, ORG);
});

function orderFor(form: Form, secret: Buffer, publicKeyHex = schemeOf(form).publicKeyHexOf(secret)): SealedKeyOrder {
  const keyId = `key-${randomBytes(6).toString('hex')}`;
  const sealed = sealKey(plainDek, { orgId: ORG, keyId, ...form, publicKeyHex, dekId: dek.dekId }, secret);
  return { orgId: ORG, keyId, sealed, dek };
}
const freshOrder = (form: Form) => orderFor(form, schemeOf(form).createSecret());

async function signWith(signing: SealedSigning, order: SealedKeyOrder, message: Uint8Array, taprootMerkleRoot?: Uint8Array) {
  const key = await signing.open(order);
  try {
    return key.sign(message, taprootMerkleRoot ? { taprootMerkleRoot } : undefined);
  } finally {
    key.close();
  }
}

const arithmetics: [string, () => SealedSigning][] = [['portable', () => createPortableSigning(kek)]];
if (HAS_NATIVE) arithmetics.push(['native', () => createNativeSigning(loadAddon(NATIVE_FILE), kek, () => nowMs)]);

describe.each(arithmetics)('the %s arithmetic', (name, make) => {
  const signing = make();

  test('reports its own name', () => {
    expect(signing.arithmetic).toBe(name);
  });

  test.each([ECDSA, SCHNORR, EDDSA, STARK])('an order always has the same signature: $scheme on $curve', async (form) => {
    const order = freshOrder(form);
    const message = Buffer.alloc(32, 1);
    expect(await signWith(signing, order, message)).toEqual(await signWith(make(), order, message));
  });

  test.each<[string, (order: SealedKeyOrder) => SealedKeyOrder]>([
    ['a row that belongs to another organisation', (order) => ({ ...order, sealed: { ...order.sealed, orgId: 'or-other' } })],
    ['an order from another organisation', (order) => ({ ...order, orgId: 'or-other' })],
    ['an order for another key', (order) => ({ ...order, keyId: 'key-other' })],
    ['a different public key', (order) => ({ ...order, sealed: { ...order.sealed, publicKeyHex: `02${'11'.repeat(32)}` } })],
    ['a row renamed to Schnorr', (order) => ({ ...order, sealed: { ...order.sealed, scheme: 'Schnorr' } })],
    [
      'a flipped bit',
      (order) => ({ ...order, sealed: { ...order.sealed, ciphertextHex: flippedHex(order.sealed.ciphertextHex, 20) } }),
    ],
    [
      'a data key with a flipped bit',
      (order) => ({ ...order, dek: { ...order.dek, wrappedHex: flippedHex(order.dek.wrappedHex, 20) } }),
    ],
    ['a different commitment', (order) => ({ ...order, dek: { ...order.dek, commitHex: '0'.repeat(64) } })],
  ])('%s is refused, also after an honest order', async (_what, alter) => {
    const order = freshOrder(ECDSA);
    await signWith(signing, order, DIGEST);
    await expect(signWith(signing, alter(order), DIGEST)).rejects.toThrow(refusedAs('EnvelopeRejected'));
  });

  test.each([0, 31, 33, 64])('a digest of %d bytes is not signed', async (length) => {
    for (const form of [ECDSA, SCHNORR, STARK]) {
      await expect(signWith(signing, freshOrder(form), Buffer.alloc(length, 1))).rejects.toThrow();
    }
  });

  test('a secret that does not belong to the registered key does not sign', async () => {
    for (const form of [ECDSA, SCHNORR, EDDSA, STARK]) {
      const code = schemeOf(form);
      const wrong = orderFor(form, code.createSecret(), code.publicKeyHexOf(code.createSecret()));
      await expect(signWith(signing, wrong, Buffer.alloc(32, 1))).rejects.toThrow('does not verify');
    }
  });

  test('a secret outside the range of the curve does not sign', async () => {
    const publicKeyHex = schemeOf(ECDSA).publicKeyHexOf(Buffer.alloc(32, 1));
    for (const secret of [Buffer.alloc(32), Buffer.alloc(32, 0xff)]) {
      await expect(signWith(signing, orderFor(ECDSA, secret, publicKeyHex), DIGEST)).rejects.toThrow();
      await expect(signWith(signing, orderFor(SCHNORR, secret, publicKeyHex.slice(2)), DIGEST)).rejects.toThrow();
    }
  });

  test.each([
    ['an x coordinate without a point', `02${'ff'.repeat(32)}`],
    ['not a compressed point', `05${'11'.repeat(32)}`],
    ['nothing', ''],
  ])('no signature verifies under a registered key that is %s', async (_what, publicKeyHex) => {
    await expect(signWith(signing, orderFor(ECDSA, Buffer.alloc(32, 1), publicKeyHex), DIGEST)).rejects.toThrow();
    await expect(signWith(signing, orderFor(SCHNORR, Buffer.alloc(32, 1), publicKeyHex.slice(2)), DIGEST)).rejects.toThrow();
  });

  test('no signature verifies under a registered Ed25519 key of small order', async () => {
    const identity = `01${'00'.repeat(31)}`;
    await expect(signWith(signing, orderFor(EDDSA, Buffer.alloc(32, 1), identity), DIGEST)).rejects.toThrow();
  });

  test('only Schnorr keys are tweaked, with a root of 32 bytes or without a root', async () => {
    await expect(signWith(signing, freshOrder(ECDSA), DIGEST, new Uint8Array(0))).rejects.toThrow();
    await expect(signWith(signing, freshOrder(EDDSA), DIGEST, new Uint8Array(0))).rejects.toThrow();
    await expect(signWith(signing, freshOrder(SCHNORR), DIGEST, new Uint8Array(31))).rejects.toThrow();
  });
});

if (HAS_NATIVE) {
  describe('native compared with portable', () => {
    const portable = createPortableSigning(kek);
    const native = createNativeSigning(loadAddon(NATIVE_FILE), kek, () => nowMs);
    const digests = fc.oneof(
      fc.uint8Array({ minLength: 32, maxLength: 32 }),
      fc.constantFrom(new Uint8Array(32), new Uint8Array(32).fill(0xff)),
    );
    const none = fc.constant(undefined);
    const roots = fc.oneof(none, fc.constant(new Uint8Array(0)), digests);

    test.each([
      ['ECDSA', ECDSA, digests, none],
      ['Schnorr', SCHNORR, digests, roots],
      ['EdDSA', EDDSA, fc.uint8Array({ maxLength: 300 }), none],
    ] as const)('both give the same signature: %s', async (_name, form, messages, options) => {
      const property = fc.asyncProperty(messages, options, async (message, root) => {
        const order = freshOrder(form);
        expect(await signWith(native, order, message, root)).toEqual(await signWith(portable, order, message, root));
      });
      await fc.assert(property, { numRuns: 80 });
    });
  });

  describe('data keys held in locked memory', () => {
    const asked = jest.fn(kek.unwrap);
    const counted = { ...kek, unwrap: asked };
    const native = createNativeSigning(loadAddon(NATIVE_FILE), counted, () => nowMs);
    beforeEach(() => asked.mockClear());

    test('simultaneous orders use the key-encryption key once, and an order after the holding time uses it again', async () => {
      nowMs += 2 * HELD_MS_MAX;
      const order = freshOrder(ECDSA);
      await Promise.all(Array.from({ length: 20 }, () => signWith(native, order, DIGEST)));
      expect(asked).toHaveBeenCalledTimes(1);
      nowMs += HELD_MS_MAX;
      await signWith(native, order, DIGEST);
      expect(asked).toHaveBeenCalledTimes(2);
    });

    test('if a data key could not be unwrapped, the next order unwraps it again', async () => {
      nowMs += 2 * HELD_MS_MAX;
      asked.mockRejectedValueOnce(new Error('away'));
      const order = freshOrder(ECDSA);
      await expect(signWith(native, order, DIGEST)).rejects.toThrow();
      await expect(signWith(native, order, DIGEST)).resolves.toBeDefined();
    });

    test('an open order keeps its data key even after the holding time and after other organisations have filled all slots', async () => {
      const order = freshOrder(ECDSA);
      const key = await native.open(order);
      nowMs += 2 * HELD_MS_MAX;
      const before = await signWith(native, order, DIGEST);
      for (let number = 0; number < DATA_KEYS_HELD_MAX + 200; number += 1) {
        const orgId = `or-${number}`;
        const row = await createDek(kek, orgId);
        const held = await native.open({ ...order, orgId, dek: row });
        held.close();
      }
      expect(key.sign(DIGEST)).toEqual(before);
      key.close();
      expect(() => key.sign(DIGEST)).toThrow('closed');
    });
  });
}
