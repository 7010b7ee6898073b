import { Transaction } from '@scure/btc-signer';
import { createUtxoReplacement } from '../../../../activities/outgoing/utxo/replacement';
import { utxoCodecOf } from '../../../../chains/codecs';
import { utxoDecoderOf } from '../../../../chains/decoders';
import type { SpendStatus, UtxoReader } from '../../../../chains/utxo/types';
import type { NetworkName } from '../../../../domain/networks';
import { keyStore } from '../../../../entities/keys/key.store';
import { coinClaim, keyOfCoin } from '../../../../entities/outgoing/coin.store';
import { laneStore } from '../../../../entities/outgoing/lane.store';
import { SignatureEntity } from '../../../../entities/signatures/signature.entity';
import { newId } from '../../../../platform/ids';
import { COMPRESSED, fundedCoins } from '../../../chains/utxo/coins';
import { createTestDatabase, type TestDatabase } from '../../../support/database';
import { createTransferSteps, type TransferSteps } from '../../../support/transfer-steps';

const FEE = 5_000n;
const bytesOf = (hex: string) => Buffer.from(hex, 'hex');

let database: TestDatabase;
let steps: TransferSteps;
let publicKeyHex: string;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());
beforeEach(async () => {
  steps = await createTransferSteps(database.db, await database.createOrganization());
  publicKeyHex = (await keyStore.ofWallet(database.db.read(steps.orgId), steps.walletId))?.publicKey ?? '';
});

type Story = {
  readonly network?: NetworkName;
  /** Undefined while the transaction id is unknown, because the other parties have not signed yet. */
  readonly standing?: SpendStatus;
  readonly isClaimed?: boolean;
};

/** Signs a PSBT with a coin of 100,000,000 of the wallet and one of 60,000,000 of another party, and builds its cancellation. */
async function cancel({ network = 'BitcoinSignet', standing, isClaimed = true }: Story) {
  const { db } = database;
  const { orgId } = steps;
  const codec = utxoCodecOf(network);
  const own = fundedCoins(network, publicKeyHex, undefined, [100_000_000n]);
  const other = fundedCoins(network, COMPRESSED, undefined, [60_000_000n]);
  const [coin] = own.coins;
  if (!coin) throw new Error('no coin was made');
  const tx = new Transaction({ allowUnknownInputs: true, disableScriptCheck: true, PSBTVersion: 0 });
  for (const { coins, rawHex } of [own, other])
    for (const { txid, vout: index } of coins) tx.addInput({ txid, index, nonWitnessUtxo: bytesOf(rawHex) });
  tx.addOutput({ script: bytesOf(codec.scriptOf(other.address)), amount: 160_000_000n - FEE });
  const bytesHex = `0x${Buffer.from(tx.toPSBT(0)).toString('hex')}`;

  const signatureId = newId('signature');
  const { requesterUserId, userActionId, walletId } = await steps.row(await steps.transfer());
  const key = await keyStore.ofWallet(db.read(orgId), walletId);
  const payload = { kind: 'Psbt' as const, network, bytesHex };
  await db.withOrg(orgId, async (locked) => {
    await locked.insert(SignatureEntity, {
      ...{ orgId, id: signatureId, keyId: key?.id ?? '', walletId, network, kind: 'Psbt', requesterUserId },
      ...{ userActionId: userActionId ?? '', requestBody: {}, requestDigest: signatureId, state: 'Signed' },
      ...{ payload, claimNetwork: network, fromAddress: own.address },
    });
    if (isClaimed) await laneStore.claimForSignature(locked, network, signatureId, [coinClaim(own.address, coin)]);
  });
  const row = await steps.row(
    await steps.transfer({
      ...{ network, fromAddress: own.address, toAddress: own.address, amountUnits: '0', feeCeilingUnits: '10000000' },
      ...{ assetDecimals: 8, form: 'Transaction', replacementKind: 'Cancel', cancelsSignatureId: signatureId },
    }),
  );

  const tier = { milliUnitsPerVbyte: 1_000n, blockHorizon: 2 };
  const reader: UtxoReader = {
    family: 'utxo',
    chainId: async () => '',
    nativeBalance: async () => 0n,
    feeEstimates: () => Promise.reject(new Error('no estimates are requested here')),
    coins: async () => [],
    previousTransactions: async () => own.previous,
    feeRates: async () => ({ Slow: tier, Standard: tier, Fast: tier }),
    standing: async () => standing ?? Promise.reject(new Error('the id is unknown')),
    unspent: () => Promise.reject(new Error('no single coins are requested here')),
    received: () => Promise.reject(new Error('no receipts are requested here')),
  };
  const txHash = standing === undefined ? null : 'ab'.repeat(32);
  const place = await createUtxoReplacement(db, () => reader).quoteAgainst(row, {
    payload,
    txHash,
    filledHex: null,
    nonce: null,
  });
  const placed = await db.withOrg(orgId, (locked) => place(locked, row));
  return { placed, own, coin, network };
}

const waiting = (feeUnits: bigint): SpendStatus => ({
  ...{ kind: 'Waiting', dependents: 1, feeUnits },
  ancestry: { vbytes: 200n, feeUnits },
});

test.each<NetworkName>(['BitcoinSignet', 'LitecoinTestnet', 'DogecoinTestnet', 'BitcoinCashTestnet'])(
  '%s: a cancellation returns only the wallet’s own coin, for a higher fee than the fee of the signed transaction',
  async (network) => {
    const { placed, own, coin } = await cancel({ network });
    if (placed.kind !== 'Built') throw new Error(placed.kind);
    const { inputs, outputs, feeUnits } = utxoDecoderOf(network).decode(placed.unsigned.bytesHex);
    expect(inputs.map(keyOfCoin)).toEqual([keyOfCoin(coin)]);
    expect(outputs.map(({ address }) => address)).toEqual([own.address]);
    expect(feeUnits).toBeGreaterThan(FEE);
    expect(placed.claims).toEqual([]); // the claims of the signature pass to the cancellation
  },
);

test('where nodes allow replacement, a cancellation pays more than the sent transaction and its dependents', async () => {
  const { placed } = await cancel({ standing: waiting(20_000n) });
  expect(placed.kind === 'Built' && placed.unsigned.maxFeeUnits).toBeGreaterThan(20_000n);
});

test.each<[string, Story, RegExp]>([
  ['is in a block', { standing: { kind: 'Included' } }, /already spent in a block/],
  ['lost its coins to another transaction', { standing: { kind: 'Beaten' } }, /already spent in a block/],
  [
    'was sent on Dogecoin, where nodes keep the first transaction',
    { network: 'DogecoinTestnet', standing: waiting(FEE) },
    /keep the first transaction they saw/,
  ],
  [
    'was sent on Bitcoin Cash, where nodes keep the first transaction',
    { network: 'BitcoinCashTestnet', standing: waiting(FEE) },
    /keep the first transaction they saw/,
  ],
  ['no longer has a claim', { isClaimed: false }, /spent before another transaction/],
])('no cancellation is built for a transaction that %s', async (_title, story, message) => {
  await expect(cancel(story)).rejects.toMatchObject({ code: 'TransferWouldFail', message: expect.stringMatching(message) });
});
