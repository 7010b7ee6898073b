import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { utxoCodecOf } from '../../../chains/codecs';
import { utxoDecoderOf } from '../../../chains/decoders';
import type { OutputForm, UtxoIntent, UtxoSignature } from '../../../chains/utxo/types';
import type { NetworkName } from '../../../domain/networks';
import { schnorrSecp256k1 } from '../../../signer/schemes/schnorr';
import { COMPRESSED, fundedCoins, SECRET, X_ONLY } from './coins';

/** The public key of the secret 2. */
const OTHER = '02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5';
const hexOf = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}`;

/** Signs as the signer does, with a low s and without randomness. */
function signed(digest: Uint8Array, isTaproot: boolean): UtxoSignature {
  if (isTaproot) return schnorrSecp256k1.sign(digest, Buffer.from(SECRET), X_ONLY, { taprootMerkleRoot: new Uint8Array() });
  const compact = secp256k1.sign(digest, SECRET, { prehash: false, lowS: true });
  return { r: hexOf(compact.subarray(0, 32)), s: hexOf(compact.subarray(32)) };
}

function transferOf(network: NetworkName, form: OutputForm) {
  const publicKeyHex = form === 'P2TR' ? X_ONLY : COMPRESSED;
  const funded = fundedCoins(network, publicKeyHex, form, [60_000_000n, 50_000_000n, 4_000_000n]);
  const codec = utxoCodecOf(network);
  const to = codec.addressOf(OTHER);
  const intent: UtxoIntent = { network, from: funded.address, to, amountUnits: 80_000_000n, publicKeyHex };
  const selection = codec.select(intent, funded.coins, { milliUnitsPerVbyte: 2_500n });
  if (typeof selection === 'string') throw new Error(selection);
  return { codec, intent, selection, funded, unsigned: codec.build(intent, selection, funded.previous) };
}

describe.each<[NetworkName, OutputForm]>([
  ['BitcoinSignet', 'P2WPKH'],
  ['BitcoinSignet', 'P2TR'],
  ['BitcoinSignet', 'P2SH-P2WPKH'],
  ['BitcoinSignet', 'P2PKH'],
  ['LitecoinTestnet', 'P2WPKH'],
  ['DogecoinTestnet', 'P2PKH'],
  ['BitcoinCashTestnet', 'P2PKH'],
])('%s %s', (network, form) => {
  test('the decoder reads back a built transaction, and its digests lead to the complete signed transaction', () => {
    const { codec, intent, selection, unsigned } = transferOf(network, form);
    const decoder = utxoDecoderOf(network);
    const decoded = decoder.decode(unsigned.bytesHex);
    expect(decoded).toMatchObject({ opaque: [], feeUnits: selection.feeUnits });
    expect(decoded.outputs.map(({ address, amountUnits }) => [address, amountUnits])).toEqual([
      [intent.to, 80_000_000n],
      [intent.from, selection.changeUnits],
    ]);
    expect(decoded.inputs.map(({ address, isProved }) => [address, isProved])).toEqual(
      selection.coins.map(() => [intent.from, true]),
    );

    const digests = decoder.digestsOf(unsigned.bytesHex, intent.publicKeyHex);
    expect(digests.map(({ index }) => index)).toEqual(selection.coins.map((_, index) => index));
    const signatures = digests.map(({ digest, isTaproot }) => signed(digest, isTaproot));
    const { rawHex, txHash } = codec.attach(unsigned, signatures, intent.publicKeyHex);
    expect(txHash).toMatch(/^[0-9a-f]{64}$/);
    // The fee covers the sent bytes. The tolerance allows for the varying length of signatures.
    const weight = form === 'P2PKH' ? rawHex.length * 2 : undefined;
    if (weight !== undefined) expect(Number(selection.feeUnits)).toBeGreaterThanOrEqual((weight / 4) * 2.5 - 1);

    const foreign = secp256k1.sign(digests[0]?.digest ?? SECRET, new Uint8Array(32).fill(2), { prehash: false });
    const wrong = { r: hexOf(foreign.subarray(0, 32)), s: hexOf(foreign.subarray(32)) };
    expect(() => codec.attach(unsigned, [wrong, ...signatures.slice(1)], intent.publicKeyHex)).toThrow(/does not belong/);
    expect(() => codec.attach(unsigned, signatures.slice(1), intent.publicKeyHex)).toThrow(/does not belong/);
  });
});

test('a wrong previous transaction is refused by builder and decoder (CVE-2020-14199)', () => {
  const { codec, intent, selection, funded, unsigned } = transferOf('BitcoinSignet', 'P2WPKH');
  const other = fundedCoins('BitcoinSignet', COMPRESSED, 'P2WPKH', [6_000_000_000n, 50_000_000n, 4_000_000n]);
  const lying = new Map([[funded.txid, other.rawHex]]);
  expect(() => codec.build(intent, selection, lying)).toThrow(/did not return the transaction/);
  // The decoder also detects a wrong previous transaction in a foreign PSBT. For inputs without a witness, only the transaction
  // id reveals the lie.
  const bytes = unsigned.bytesHex.split(funded.rawHex).join(other.rawHex);
  expect(utxoDecoderOf('BitcoinSignet').decode(bytes).opaque).toEqual(['bytes']);
  const old = transferOf('DogecoinTestnet', 'P2PKH');
  const rich = fundedCoins('DogecoinTestnet', COMPRESSED, 'P2PKH', [6_000_000_000n, 50_000_000n, 4_000_000n]);
  const lie = old.unsigned.bytesHex.split(old.funded.rawHex).join(rich.rawHex);
  expect(utxoDecoderOf('DogecoinTestnet').decode(lie).opaque).toEqual(['bytes']);
});

test('a Taproot key must sign with the tweaked key of BIP341', () => {
  const { intent, unsigned } = transferOf('BitcoinSignet', 'P2TR');
  const [first] = utxoDecoderOf('BitcoinSignet').digestsOf(unsigned.bytesHex, intent.publicKeyHex);
  const plain = schnorr.sign(first?.digest ?? SECRET, SECRET);
  const untweaked = { r: hexOf(plain.subarray(0, 32)), s: hexOf(plain.subarray(32)) };
  expect(() => utxoCodecOf('BitcoinSignet').attach(unsigned, [untweaked, untweaked], X_ONLY)).toThrow(/does not belong/);
});
