import { createHash } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { utxoCodecOf } from '../../../chains/codecs';
import { utxoDecoderOf } from '../../../chains/decoders';
import type { SigningPayload } from '../../../signer/judging/signing-payload';
import type { CreatedKey } from '../../../signer/protocol';
import { fundedCoins } from '../../chains/utxo/coins';
import { NOW_MS, ORG, openOperations, refusedAs, temporaryFolder } from '../fixtures';

const NETWORK = 'BitcoinSignet';
/** The preimage of the second input in BIP143's P2WPKH example, and the digest that the BIP gives. */
const BIP143 = {
  preimage: [
    '0100000096b827c8483d4e9b96712b6713a7b68d6e8003a781feba36c31143470b4efd3752b0a642eea2fb7ae638c36f6252b6750293dbe574a806984b8e4d85',
    '48339a3bef51e1b804cc89d182d279655c3aa89e815b1b309fe287d9b2b55d57b90ec68a010000001976a9141d0f172a0ecb48aee1be1f2687d2963ae33f71a1',
    '88ac0046c32300000000ffffffff863ef3e1a92afbfdb97f31ad0fc7683ee943e9abcf2501590ff8f6551f47e5e51100000001000000',
  ].join(''),
  digest: 'c37af31116d1b27caf68aae9e3ac82f1477929014d5b917657d0eb49478cb670',
};
const once = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
const bytesOf = (hex: string) => Buffer.from(hex.replace(/^0x/, ''), 'hex');

const folder = temporaryFolder();
let signer: Awaited<ReturnType<typeof openOperations>>;
let key: CreatedKey;
/** A PSBT that spends a coin of the key, with the unsigned transaction in this PSBT and the digest of its input. */
let built: { readonly psbtHex: string; readonly unsignedHex: string; readonly digest: Uint8Array };

beforeAll(async () => {
  signer = await openOperations(folder.path);
  key = await signer.createKey({ orgId: ORG, keyId: 'key-coins', scheme: 'ECDSA', curve: 'secp256k1' });
  const codec = utxoCodecOf(NETWORK);
  const { publicKeyHex } = key;
  const { address: from, coins, previous } = fundedCoins(NETWORK, publicKeyHex, undefined, [50_000n]);
  const intent = { network: NETWORK, from, to: from, amountUnits: 20_000n, publicKeyHex } as const;
  const { bytesHex } = codec.build(intent, { coins, feeUnits: 500n, changeUnits: 29_500n }, previous);
  const [input] = utxoDecoderOf(NETWORK).digestsOf(bytesHex, publicKeyHex);
  // The PSBT begins with five bytes of magic, followed by the key 00 and the transaction, each after a byte with its length.
  const psbt = bytesOf(bytesHex);
  const unsignedHex = psbt.subarray(8, 8 + (psbt[7] ?? 0)).toString('hex');
  built = { psbtHex: bytesHex, unsignedHex, digest: input?.digest ?? new Uint8Array() };
});
afterAll(async () => {
  await signer.close();
  folder.remove();
});

let count = 0;
const sign = (payload: SigningPayload) => {
  count += 1;
  const { sealed, dek } = key;
  const times = { issuedAt: new Date(NOW_MS).toISOString(), notAfter: new Date(NOW_MS + 60_000).toISOString() };
  return signer.signPayload({
    requestId: `sig-${count}`,
    orgId: ORG,
    keyId: sealed.keyId,
    payload,
    sealed,
    dek,
    ...times,
    ...GROUNDS,
  });
};
const GROUNDS = { evidence: [], policyEpoch: 1 };
const KINDS = ['Message', 'Eip191'] as const;

test.each(KINDS)('%s: a transaction of coins, bare or as a PSBT, is not signed as a message (S12)', async (kind) => {
  for (const messageHex of [built.psbtHex, `0x${built.unsignedHex}`])
    await expect(sign({ kind, messageHex })).rejects.toEqual(refusedAs('MessageIsTransaction'));
});

test.each(KINDS)('%s: no signature over the preimage or the digest of an input unlocks a coin (S12)', async (kind) => {
  expect(once(once(bytesOf(BIP143.preimage))).toString('hex')).toBe(BIP143.digest);
  const preimages = [BIP143.preimage, `${built.unsignedHex}01000000`, Buffer.from(built.digest).toString('hex')];
  for (const hex of preimages) {
    const { signatures, digestHex } = await sign({ kind, messageHex: `0x${hex}` });
    const [signature] = signatures;
    const compact = Buffer.concat([bytesOf(signature?.r ?? ''), bytesOf(signature?.s ?? '')]);
    const isOver = (digest: Uint8Array) => secp256k1.verify(compact, digest, bytesOf(key.publicKeyHex), { prehash: false });
    expect(isOver(bytesOf(digestHex))).toBe(true);
    for (const digest of [bytesOf(hex), once(bytesOf(hex)), once(once(bytesOf(hex)))].filter(({ length }) => length === 32))
      expect(isOver(digest)).toBe(false);
  }
});

test('without a charter, a proof of ownership is signed for a test network but not for a mainnet', async () => {
  const proof = (network: string) => sign({ kind: 'Bip322', messageHex: '0xab12', network, format: 'Simple' });
  await expect(proof(NETWORK)).resolves.toBeDefined();
  await expect(proof('Bitcoin')).rejects.toEqual(refusedAs('MainnetNotAllowed'));
});
