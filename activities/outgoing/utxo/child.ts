import { utxoCodecOf } from '../../../chains/codecs';
import { utxoDecoderOf } from '../../../chains/decoders';
import { inFamily } from '../../../chains/families';
import { networkOf } from '../../../chains/networks';
import type {
  Coin,
  Selection,
  SelectionFault,
  SpendStatus,
  UtxoFees,
  UtxoIntent,
  UtxoNetwork,
  UtxoReader,
} from '../../../chains/utxo/types';
import { AppError, invariant } from '../../../domain/errors';
import type { Database, Tx } from '../../../entities/database';
import { coinClaim, coinStore, keyOfCoin } from '../../../entities/outgoing/coin.store';
import type { OutgoingEntity } from '../../../entities/outgoing/outgoing.entity';
import { payloadStore } from '../../../entities/outgoing/payload.store';
import type { BuildOutcome, BuildUnderLock } from '../family-forms';
import { freeOf, intentOf, isFault, likelyOf, type Quote } from './choice';
import { assertInsideEnvelope } from './envelope';

const wouldFail = (message: string) => new AppError('TransferWouldFail', message);
const greater = (one: bigint, other: bigint): bigint => (one < other ? other : one);
const PER_VBYTE = 1_000n;

/**
 * The child pays for its own size and adds the fee that its ancestors lack. The rate is the market's, or the ancestors' rate
 * plus `feeRateFloor`, whichever is higher. Miners weigh a transaction together with its unconfirmed ancestors (Bitcoin Core,
 * `getmempoolentry`: `ancestorsize`).
 */
function feesOf(
  { feeRateFloor }: UtxoNetwork,
  marketRate: bigint,
  ancestry: Extract<SpendStatus, { kind: 'Waiting' }>['ancestry'],
): UtxoFees {
  const { vbytes, feeUnits } = ancestry;
  const rate = (feeUnits * PER_VBYTE + vbytes - 1n) / vbytes;
  const milliUnitsPerVbyte = greater(marketRate, rate + feeRateFloor);
  return {
    milliUnitsPerVbyte,
    lackingFeeUnits: greater(0n, (milliUnitsPerVbyte * vbytes + PER_VBYTE - 1n) / PER_VBYTE - feeUnits),
  };
}

type ChildQuote = Quote & { readonly parentId: string; readonly change: readonly Coin[] };

/**
 * The Bitcoin family: a payment of the sender to itself spends the change of another transaction (child pays for parent). The fee
 * of the child gets both transactions into a block.
 */
export async function quoteChild(
  db: Database,
  reader: UtxoReader,
  row: OutgoingEntity,
  parentId: string,
): Promise<BuildUnderLock> {
  const { network } = row;
  const rows = db.read(row.orgId);
  const codec = utxoCodecOf(network);
  const parent = await payloadStore.of(rows, parentId);
  invariant(parent?.txHash && parent.rawHex, 'the parent of a child was sent');
  const [intent, coins, rates, standing] = await Promise.all([
    intentOf(rows, row),
    reader.coins(row.fromAddress),
    reader.feeRates(),
    reader.standing(parent.txHash),
  ]);
  if (standing.kind !== 'Waiting')
    throw wouldFail('The transaction to pay for is already in a block, or no node holds it any longer');
  const change = codec.coinsOf(parent.rawHex, row.fromAddress);
  const fees = feesOf(inFamily('utxo', networkOf(network)), rates.Fast.milliUnitsPerVbyte, standing.ancestry);
  const free = (await freeOf(rows, row, coins)).filter(({ confirmations }) => confirmations > 0);
  const likely = likelyOf(select(intent, change, free, fees), free);
  const previous = await reader.previousTransactions([...change, ...likely].map(({ txid }) => txid));
  const quoted: ChildQuote = { intent, fees, coins: free, previous, change, parentId };
  return (tx, locked) => place(tx, locked, quoted);
}

/** Adds the largest confirmed coin if the change does not cover the fee. */
function select(intent: UtxoIntent, change: readonly Coin[], free: readonly Coin[], fees: UtxoFees): Selection | SelectionFault {
  const codec = utxoCodecOf(intent.network);
  const alone = codec.select(intent, [], fees, { anchor: change });
  const [largest] = likelyOf('InsufficientFunds', free);
  return isFault(alone) && largest ? codec.select(intent, [], fees, { anchor: [...change, largest] }) : alone;
}

async function place(tx: Tx, row: OutgoingEntity, quoted: ChildQuote): Promise<BuildOutcome> {
  const { intent, fees, coins, previous, change, parentId } = quoted;
  const parent = await payloadStore.of(tx, parentId);
  const own = await coinStore.ownTransactions(tx, { network: row.network, address: row.fromAddress }, [parent?.txHash ?? '']);
  // If a rival of the parent confirms instead, the parent's change never exists.
  if (parent?.state !== 'Broadcasted' || own.size === 0) throw wouldFail('The transaction to pay for is no longer pending');
  const [taken] = await coinStore.claimed(tx, row.network, change.map(keyOfCoin));
  if (taken !== undefined) throw wouldFail(`Another transaction has claimed the coin ${taken}, which was to pay the fee`);
  const free = (await freeOf(tx, row, coins)).filter(({ txid }) => previous.has(txid));
  const selection = select(intent, change, free, fees);
  if (isFault(selection)) throw wouldFail('Insufficient funds for the fee that both transactions need');
  if (selection.feeUnits > BigInt(row.feeCeilingUnits)) return { kind: 'FeeAboveCeiling' };

  const unsigned = utxoCodecOf(row.network).build(intent, selection, previous);
  assertInsideEnvelope(utxoDecoderOf(row.network).decode(unsigned.bytesHex), row, selection);
  const claims = selection.coins.map((coin) => coinClaim(row.fromAddress, coin));
  return { kind: 'Built', unsigned, nonce: null, claims, context: null };
}
