import { Transaction } from '@scure/btc-signer';
import { utxoChild } from '../../../../application/outgoing/utxo/child';
import { utxoCodecOf } from '../../../../chains/codecs';
import type { NetworkName } from '../../../../domain/networks';
import { OutgoingEntity } from '../../../../entities/outgoing/outgoing.entity';
import { PayloadEntity } from '../../../../entities/outgoing/payload.entity';
import { COMPRESSED } from '../../../chains/utxo/coins';

const OTHER = '02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5';

const rowOn = (network: NetworkName, more: Partial<OutgoingEntity> = {}) =>
  Object.assign(new OutgoingEntity(), {
    ...{ network, fromAddress: utxoCodecOf(network).addressOf(COMPRESSED), assetKind: 'Native', terms: null },
    ...more,
  });

/** A sent transaction that pays these keys. */
function paying(network: NetworkName, ...keys: readonly string[]): PayloadEntity {
  const codec = utxoCodecOf(network);
  const tx = new Transaction({ allowUnknownInputs: true, disableScriptCheck: true });
  for (const key of keys) tx.addOutput({ script: Buffer.from(codec.scriptOf(codec.addressOf(key)), 'hex'), amount: 5_000n });
  tx.addInput({ txid: '11'.repeat(32), index: 0, finalScriptSig: new Uint8Array([1]) });
  return Object.assign(new PayloadEntity(), { rawHex: Buffer.from(tx.toBytes(true, true)).toString('hex') });
}

test.each<[NetworkName, Partial<OutgoingEntity>, boolean]>([
  ['BitcoinSignet', {}, false],
  ['BitcoinSignet', { assetKind: 'Call' }, true],
  ['LitecoinTestnet', {}, true],
  ['DogecoinTestnet', {}, true],
])('on %s a transaction with %j is sped up by a child: %s', (network, more, isFor) => {
  expect(utxoChild.isFor(rowOn(network, more))).toBe(isFor);
});

test.each<[NetworkName, readonly string[], RegExp | undefined]>([
  ['LitecoinTestnet', [OTHER, COMPRESSED], undefined],
  ['LitecoinTestnet', [OTHER], /has no change/],
  ['BitcoinCashTestnet', [OTHER, COMPRESSED], /can be neither replaced nor paid for by a child/],
])('on %s a transaction that pays %j gets no child, with the reason: %s', (network, keys, reason) => {
  const never = utxoChild.whyNever(rowOn(network), paying(network, ...keys));
  if (reason) expect(never).toMatch(reason);
  else expect(never).toBeUndefined();
});

test('coinsOf returns only the coins at the address, each with its output index', () => {
  const network = 'LitecoinTestnet';
  const codec = utxoCodecOf(network);
  const { rawHex } = paying(network, OTHER, COMPRESSED, COMPRESSED);
  const coins = codec.coinsOf(rawHex ?? '', codec.addressOf(COMPRESSED));
  expect(coins.map(({ vout, amountUnits }) => [vout, amountUnits])).toEqual([
    [1, 5_000n],
    [2, 5_000n],
  ]);
});
