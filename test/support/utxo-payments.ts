import { utxoCodecOf } from '../../chains/codecs';
import type { SpendStatus, UtxoIntent, UtxoReader } from '../../chains/utxo/types';
import type { NetworkName } from '../../domain/networks';
import type { Database } from '../../entities/database';
import { keyStore } from '../../entities/keys/key.store';
import { coinClaim } from '../../entities/outgoing/coin.store';
import { laneStore } from '../../entities/outgoing/lane.store';
import { PayloadEntity } from '../../entities/outgoing/payload.entity';
import { newId } from '../../platform/ids';
import { fundedCoins } from '../chains/utxo/coins';
import { createTestDatabase, type TestDatabase } from './database';
import { createTransferSteps, type TransferSteps } from './transfer-steps';

type Payment = {
  /** The units that come back to the wallet from a coin with this number of units. */
  readonly changeOf: (coinUnits: bigint) => bigint;
  readonly ceiling: bigint;
  readonly state?: 'Broadcasted' | 'Included';
  /** Makes the sent bytes from the unsigned bytes. By default, sends the unsigned bytes. */
  readonly signed?: (unsignedHex: string) => string;
  /** Whether another request has claimed the change output. */
  readonly isChangeSpent?: boolean;
};

type Answers = Pick<UtxoReader, 'coins' | 'previousTransactions'> & {
  readonly milliUnitsPerVbyte: bigint;
  readonly standing?: SpendStatus | undefined;
};

/**
 * Payments of one wallet that were sent with this fee and wait for a block. Tests replace these payments, or spend their change
 * outputs.
 */
export function utxoPayments(network: NetworkName, feeUnits: bigint) {
  const codec = utxoCodecOf(network);
  const to = codec.addressOf('02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5');
  /** The ancestry of a payment without a waiting ancestor. */
  const ancestry = { vbytes: 141n, feeUnits };
  let database: TestDatabase;
  let steps: TransferSteps;
  let publicKeyHex: string;
  beforeAll(async () => {
    database = await createTestDatabase();
    steps = await createTransferSteps(database.db, await database.createOrganization());
    publicKeyHex = (await keyStore.ofWallet(database.db.read(steps.orgId), steps.walletId))?.publicKey ?? '';
  });
  afterAll(() => database?.close());

  let seed = 1n;
  /** Sends a payment with a coin of about 100,000 units. Another coin of 100,000 units is left. */
  const send = async ({ changeOf, ceiling, state = 'Broadcasted', signed = (hex) => hex, isChangeSpent = false }: Payment) => {
    const { orgId } = steps;
    seed += 1n; // gives each story different amounts, and so different coins
    const { address: from, coins, previous } = fundedCoins(network, publicKeyHex, undefined, [100_000n + seed, 100_000n]);
    const [spent, other] = coins;
    if (!spent || !other) throw new Error('the wallet does not have two coins');
    const changeUnits = changeOf(spent.amountUnits);
    const amountUnits = spent.amountUnits - changeUnits - feeUnits;
    const intent: UtxoIntent = { network, from, to, amountUnits, publicKeyHex };
    const { bytesHex, digestHex } = codec.build(intent, { coins: [spent], feeUnits, changeUnits }, previous);
    const psbt = Buffer.from(bytesHex.slice(2), 'hex');
    const rawHex = signed(psbt.subarray(8, 8 + (psbt[7] ?? 0)).toString('hex'));
    const [change] = codec.coinsOf(rawHex, from);
    if (!change) throw new Error('the payment has no change');
    const money = { network, fromAddress: from, feeCeilingUnits: String(ceiling), assetDecimals: 8 } as const;
    const first = await steps.transfer({ ...money, toAddress: to, amountUnits: String(amountUnits), state: 'Broadcasted' });
    await database.db.withOrg(orgId, async (tx) => {
      const sent = { unsignedHex: bytesHex, digestHex, rawHex, txHash: change.txid, nonce: null, maxFeeUnits: String(feeUnits) };
      const payload = { orgId, id: newId('payload'), transferId: first, network, fromAddress: from } as const;
      await tx.insert(PayloadEntity, { ...payload, ...sent, state });
      await laneStore.claim(tx, { id: first, network }, coinClaim(from, spent));
    });
    if (isChangeSpent) {
      const id = await steps.transfer(money);
      await database.db.withOrg(orgId, (tx) => laneStore.claim(tx, { id, network }, coinClaim(from, change)));
    }
    return { first, from, money, spent, other, change, previous, rawHex };
  };

  /** A node with one fee rate. By default, the node reports that the payment waits. */
  const readerOf = ({ milliUnitsPerVbyte, standing, ...answers }: Answers): UtxoReader => {
    const tier = { milliUnitsPerVbyte, blockHorizon: 2 };
    return {
      family: 'utxo',
      chainId: async () => '',
      nativeBalance: async () => 0n,
      feeEstimates: () => Promise.reject(new Error('no estimates are asked for here')),
      feeRates: async () => ({ Slow: tier, Standard: tier, Fast: tier }),
      standing: async () => standing ?? { kind: 'Waiting', dependents: 1, feeUnits, ancestry },
      unspent: () => Promise.reject(new Error('no single coins are asked for here')),
      received: () => Promise.reject(new Error('no receipts are asked for here')),
      ...answers,
    };
  };
  return { to, ancestry, send, readerOf, steps: () => steps, db: (): Database => database.db, publicKeyHex: () => publicKeyHex };
}
