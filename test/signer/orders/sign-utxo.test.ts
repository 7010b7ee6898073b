import { utxoCodecOf } from '../../../chains/codecs';
import type { Coin, UtxoIntent } from '../../../chains/utxo/types';
import { loadAddon } from '../../../signer/native/addon';
import { createNativeSigning } from '../../../signer/native/native-signing';
import type { CreatedKey, SignUtxoOrder } from '../../../signer/protocol';
import { fundedCoins } from '../../chains/utxo/coins';
import { HAS_NATIVE, NATIVE_FILE } from '../../support/native-arithmetic';
import { NOW_MS, ORG, openOperations, refusedAs, temporaryFolder } from '../fixtures';

const NETWORK = 'BitcoinSignet';
const codec = utxoCodecOf(NETWORK);
const OTHER_KEY = '02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5';
const OTHER = codec.addressOf(OTHER_KEY);

type Built = { readonly order: SignUtxoOrder; readonly coins: readonly Coin[]; readonly from: string };
type Wanted = {
  readonly network?: typeof NETWORK | 'Bitcoin';
  readonly amountUnits?: bigint;
  readonly to?: string;
  readonly pick?: readonly number[];
  readonly feeUnits?: bigint;
};

/** An honest order that spends coins of the key from one transaction. `wanted` changes the bytes and the order alike. */
function orderFor(created: CreatedKey, requestId: string, wanted: Wanted = {}): Built {
  const { publicKeyHex, sealed, dek } = created;
  const { network = NETWORK } = wanted;
  const codecOfNetwork = utxoCodecOf(network);
  const { address: from, coins, previous } = fundedCoins(network, publicKeyHex, undefined, [50_000n, 40_000n, 30_000n]);
  const { amountUnits = 20_000n, to = codecOfNetwork.addressOf(OTHER_KEY), pick = [0, 1], feeUnits = 500n } = wanted;
  const chosen = pick.flatMap((index) => coins[index] ?? []);
  const total = chosen.reduce((sum, coin) => sum + coin.amountUnits, 0n);
  const intent: UtxoIntent = { network, from, to, amountUnits, publicKeyHex };
  const selection = { coins: chosen, feeUnits, changeUnits: total - amountUnits - feeUnits };
  const order: SignUtxoOrder = {
    requestId,
    orgId: ORG,
    keyId: sealed.keyId,
    network,
    intent: { from, to, amountUnits: String(amountUnits) },
    feeCeilingUnits: '1000',
    bytesHex: codecOfNetwork.build(intent, selection, previous).bytesHex,
    sealed,
    dek,
    issuedAt: new Date(NOW_MS).toISOString(),
    notAfter: new Date(NOW_MS + 60_000).toISOString(),
  };
  return { order, coins, from };
}

let folder: ReturnType<typeof temporaryFolder>;
let signer: Awaited<ReturnType<typeof openOperations>>;
let ecdsa: CreatedKey;
let schnorr: CreatedKey;

beforeAll(async () => {
  folder = temporaryFolder();
  signer = await openOperations(folder.path);
  ecdsa = await signer.createKey({ orgId: ORG, keyId: 'key-1', scheme: 'ECDSA', curve: 'secp256k1' });
  schnorr = await signer.createKey({ orgId: ORG, keyId: 'key-2', scheme: 'Schnorr', curve: 'secp256k1', dek: ecdsa.dek });
});
afterAll(async () => {
  await signer.close();
  folder.remove();
});

test.each(['ECDSA', 'Schnorr'] as const)(
  '%s: every input gets a signature, and a repeated order gets the same signatures',
  async (scheme) => {
    const key = scheme === 'ECDSA' ? ecdsa : schnorr;
    const { order } = orderFor(key, `xfr-${scheme}`);
    const signed = await signer.signUtxo(order);
    expect(signed.signatures).toHaveLength(2);
    const { rawHex, txHash } = codec.attach({ bytesHex: order.bytesHex }, signed.signatures, key.publicKeyHex);
    expect(rawHex.slice(8, 12)).toBe('0001');
    expect(txHash).toMatch(/^[0-9a-f]{64}$/);
    expect(await signer.signUtxo(order)).toEqual(signed);
  },
);

if (HAS_NATIVE) {
  test('the native arithmetic signs every input like the portable one, Taproot inputs included', async () => {
    const other = temporaryFolder();
    const native = await openOperations(other.path, undefined, (kek) => createNativeSigning(loadAddon(NATIVE_FILE), kek));
    for (const key of [ecdsa, schnorr]) {
      // The request id is that of the test above, because its request has claimed the coins.
      const { order } = orderFor(key, `xfr-${key.sealed.scheme}`);
      expect(await native.signUtxo(order)).toEqual(await signer.signUtxo(order));
    }
    await native.close();
    other.remove();
  });
}

test('a coin of a signed transaction is signed again only for a replacement (S5, S7)', async () => {
  const [first, rival] = [
    orderFor(ecdsa, 'xfr-a', { pick: [2], amountUnits: 1_000n }),
    orderFor(ecdsa, 'xfr-b', { pick: [2], amountUnits: 2_000n }),
  ];
  await signer.signUtxo(first.order);
  await expect(signer.signUtxo(rival.order)).rejects.toEqual(refusedAs('NonceSignedAlready'));
  const cancel = orderFor(ecdsa, 'xfr-c', { pick: [2], to: first.from, amountUnits: 0n, feeUnits: 900n }).order;
  expect((await signer.signUtxo({ ...cancel, replaces: 'xfr-a' })).signatures).toHaveLength(1);
  // This replacement shares one coin with the request that it replaces, and also spends a coin of another request.
  const greedy = orderFor(ecdsa, 'xfr-d', { pick: [2, 0], amountUnits: 3_000n }).order;
  await expect(signer.signUtxo({ ...greedy, replaces: 'xfr-a' })).rejects.toEqual(refusedAs('NonceSignedAlready'));
});

const of = (wanted: Wanted = {}) => orderFor(ecdsa, 'xfr-bad', { pick: [0], ...wanted }).order;
const withIntent = (order: SignUtxoOrder, intent: Partial<SignUtxoOrder['intent']>) => ({
  ...order,
  intent: { ...order.intent, ...intent },
});
test.each<[string, string, () => SignUtxoOrder]>([
  ['a mainnet', 'MainnetNotAllowed', () => of({ network: 'Bitcoin' })],
  ['a network of another family', 'UnknownNetwork', () => ({ ...of(), network: 'EthereumSepolia' })],
  ['a different recipient', 'RecipientMismatch', () => withIntent(of(), { to: codec.addressOf(schnorr.publicKeyHex) })],
  [
    'a change output for another party',
    'RecipientMismatch',
    () => {
      const order = of();
      const own = codec.scriptOf(order.intent.from);
      const change = order.bytesHex.lastIndexOf(`16${own}`);
      // The sender's script that follows the recipient's script is the second output of the unsigned transaction.
      const at = order.bytesHex.indexOf(`16${own}`, order.bytesHex.indexOf(codec.scriptOf(OTHER)));
      expect(at).toBeLessThanOrEqual(change);
      const bytesHex = `${order.bytesHex.slice(0, at)}16${codec.scriptOf(OTHER)}${order.bytesHex.slice(at + 2 + own.length)}`;
      return { ...order, bytesHex };
    },
  ],
  ['a different amount', 'AmountMismatch', () => withIntent(of(), { amountUnits: '19999' })],
  ['a different sender', 'SenderMismatch', () => withIntent(of(), { from: OTHER })],
  ['a fee above the approved fee', 'FeeAboveApproved', () => of({ feeUnits: 1_001n })],
  [
    'a key that does not unlock the coins',
    'InputNotOurs',
    () => ({ ...of(), keyId: schnorr.sealed.keyId, sealed: schnorr.sealed }),
  ],
  ['bytes that are not a PSBT', 'BytesNotUnderstood', () => ({ ...of(), bytesHex: '0x00' })],
  ['an expired order', 'OrderExpired', () => ({ ...of(), notAfter: new Date(NOW_MS - 1).toISOString() })],
])('%s is refused', async (_, reason, make) => {
  await expect(signer.signUtxo(make())).rejects.toEqual(refusedAs(reason));
});

test('an amount is refused if no previous transaction proves it (CVE-2020-14199)', async () => {
  const order = of();
  // The test cuts out the map entry of the previous transaction (key 00); the stated amount stays.
  const { rawHex } = fundedCoins(NETWORK, ecdsa.publicKeyHex, undefined, [50_000n, 40_000n, 30_000n]);
  const entry = `0100${(rawHex.length / 2).toString(16).padStart(2, '0')}${rawHex}`;
  expect(order.bytesHex).toContain(entry);
  await expect(signer.signUtxo({ ...order, bytesHex: order.bytesHex.replace(entry, '') })).rejects.toEqual(
    refusedAs('AmountNotProved'),
  );
});
