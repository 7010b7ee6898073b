import { KEY_SHARE_SUITE } from '../../../domain/key-stores';
import { createSharePair, openShare, sealShare, shareSuite } from '../../../signer/keys/hpke';

const bytes = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex')).buffer;

/** The first encryption of the vector of RFC 9180 for mode 0, KEM 0x0020, KDF 0x0001, AEAD 0x0002. */
const VECTOR = {
  info: '4f6465206f6e2061204772656369616e2055726e',
  skRm: '497b4502664cfea5d5af0b39934dac72242a74f8480451e1aee7d6a53320333d',
  pkRm: '430f4b9859665145a6b1ba274024487bd66f03a2dd577d7753c68d7d7d00c00c',
  enc: '6c93e09869df3402d7bf231bf540fadd35cd56be14f97178f0954db94b7fc256',
  skEm: '179d4b53b6365c45b600c4163b61d95cbc2f4d9e36f1695558dce265ab8bab11',
  aad: '436f756e742d30',
  plain: '4265617574792069732074727574682c20747275746820626561757479',
  sealed: 'e5d84cd531cfb583096e7cfa9641bd3079cf3a91cda813c52deb5f512be9931980a41de125a925cdad859d5b7a',
};

test('RFC 9180: the suite opens and seals as in the vector', async () => {
  const recipientKey = await shareSuite.kem.deserializePrivateKey(bytes(VECTOR.skRm));
  const recipient = await shareSuite.createRecipientContext({ recipientKey, enc: bytes(VECTOR.enc), info: bytes(VECTOR.info) });
  const plain = await recipient.open(bytes(VECTOR.sealed), bytes(VECTOR.aad));
  expect(Buffer.from(plain).toString('hex')).toBe(VECTOR.plain);

  const ephemeral = {
    privateKey: await shareSuite.kem.deserializePrivateKey(bytes(VECTOR.skEm)),
    publicKey: await shareSuite.kem.deserializePublicKey(bytes(VECTOR.enc)),
  };
  const recipientPublicKey = await shareSuite.kem.deserializePublicKey(bytes(VECTOR.pkRm));
  const sender = await shareSuite.createSenderContext({ recipientPublicKey, info: bytes(VECTOR.info), ekm: ephemeral });
  expect(Buffer.from(sender.enc).toString('hex')).toBe(VECTOR.enc);
  expect(Buffer.from(await sender.seal(bytes(VECTOR.plain), bytes(VECTOR.aad))).toString('hex')).toBe(VECTOR.sealed);
});

test('the suite has the algorithms that the protocol specifies', () => {
  // Section 7 of RFC 9180 gives the three algorithms these numbers.
  expect([shareSuite.kem.id, shareSuite.kdf.id, shareSuite.aead.id]).toEqual([0x0020, 0x0001, 0x0002]);
  expect(KEY_SHARE_SUITE).toBe('DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-256-GCM');
});

const SHARE = Buffer.alloc(32, 0x5a);

test('a share opens only with its own key and its own info', async () => {
  const pair = await createSharePair();
  const sealed = await sealShare(pair.publicKey, 'info', SHARE);
  expect(sealed).toHaveLength(32 + 32 + 16);
  expect((await openShare(pair.secret, 'info', sealed)).equals(SHARE)).toBe(true);
  await expect(openShare(pair.secret, 'another info', sealed)).rejects.toThrow();
  await expect(openShare((await createSharePair()).secret, 'info', sealed)).rejects.toThrow();
  for (const place of [0, 31, 32, 63, 64, 79]) {
    const altered = Buffer.from(sealed);
    altered[place] = (altered[place] ?? 0) ^ 1;
    await expect(openShare(pair.secret, 'info', altered)).rejects.toThrow();
  }
  await expect(openShare(pair.secret, 'info', sealed.subarray(0, 79))).rejects.toThrow();
});

test('one share that is sealed twice gives two ciphertexts, and the caller’s share stays unchanged', async () => {
  const pair = await createSharePair();
  const [one, two] = await Promise.all([sealShare(pair.publicKey, 'info', SHARE), sealShare(pair.publicKey, 'info', SHARE)]);
  expect(one.equals(two)).toBe(false);
  expect(SHARE.equals(Buffer.alloc(32, 0x5a))).toBe(true);
});

/** With these points of RFC 7748, section 6.1, the shared secret is zero, and so is not secret. */
test.each([
  ['zero', '00'.repeat(32)],
  ['one', `01${'00'.repeat(31)}`],
  ['a point of order eight', 'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800'],
  ['another point of order eight', '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157'],
])('nothing is encrypted to %s', async (_what, key) => {
  await expect(sealShare(Buffer.from(key, 'hex'), 'info', SHARE)).rejects.toThrow();
});
