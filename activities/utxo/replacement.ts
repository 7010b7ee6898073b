import { utxoCodecOf } from '../../chains/codecs';
import { utxoDecoderOf } from '../../chains/decoders';
import { inFamily } from '../../chains/families';
import { networkOf } from '../../chains/networks';
import type { createReaders } from '../../chains/readers';
import type { Coin, UtxoFees } from '../../chains/utxo/types';
import { AppError, invariant } from '../../domain/errors';
import type { Database, Tx } from '../../entities/database';
import { coinClaim, coinStore, keyOfCoin } from '../../entities/transfers/coin.store';
import type { PayloadEntity } from '../../entities/transfers/payload.entity';
import type { TransferEntity } from '../../entities/transfers/transfer.entity';
import type { FamilyReplacement, Placed } from '../families';
import { freeOf, intentOf, isFault, likelyOf, type Quote } from './choice';
import { assertInsideEnvelope } from './envelope';

/** Of BIP125: more than these are never driven out by one. */
const DEPENDENTS_MAX = 100;

const wouldFail = (message: string) => new AppError('TransferWouldFail', message);

type ReplacementQuote = Quote & {
  /** What the other one spends of the coins that both claim: all of it is spent again, so that the chain takes one of the two alone (S7). */
  readonly anchor: readonly Coin[];
  readonly rivalHash: string | null;
};

/**
 * Bitcoin's family: all coins of the other one once more, at the rate of the market and above the old one, and by BIP125 for no less than what is
 * driven out and its own size besides. Where the change is too small for that, coins are added that are in a block and that nobody else has.
 */
export function createUtxoReplacement(db: Database, readers: ReturnType<typeof createReaders>): FamilyReplacement {
  const quote = async (row: TransferEntity, rival: PayloadEntity): Promise<ReplacementQuote> => {
    const { network } = row;
    const reader = inFamily('utxo', readers(network));
    const rows = db.read(row.orgId);
    const codec = utxoCodecOf(network);
    const [intent, shared, coins, rates, fees] = await Promise.all([
      intentOf(rows, row),
      coinStore.shared(rows, row),
      reader.coins(row.fromAddress),
      reader.feeRates(),
      replacedFees(reader, rival),
    ]);
    const milliUnitsPerVbyte = greater(rates.Fast.milliUnitsPerVbyte, fees.milliUnitsPerVbyte);
    const asked = { milliUnitsPerVbyte, replacedFeeUnits: fees.replacedFeeUnits };
    const anchor = coinsOf(rival).filter((coin) => shared.has(keyOfCoin(coin)));
    const free = (await freeOf(rows, row, coins)).filter(({ confirmations }) => confirmations > 0);
    const likely = likelyOf(codec.select(intent, free, asked, { anchor }), free);
    const previous = await reader.previousTransactions([...anchor, ...likely].map(({ txid }) => txid));
    return { intent, fees: asked, coins: free, previous, anchor, rivalHash: rival.txHash };
  };
  return {
    quote: async (asked, rival) => {
      const quoted = await quote(asked, rival);
      return (tx, row) => place(tx, row, quoted);
    },
  };
}

const greater = (one: bigint, other: bigint): bigint => (one < other ? other : one);

/** What the other one pays, with all that depends on it, and a rate above its own. */
async function replacedFees(
  reader: ReturnType<ReturnType<typeof createReaders>>,
  { network, rawHex, txHash, maxFeeUnits }: PayloadEntity,
): Promise<UtxoFees & { readonly replacedFeeUnits: bigint }> {
  invariant(rawHex !== null && txHash !== null, 'what is replaced was signed');
  const standing = await inFamily('utxo', reader).standing(txHash);
  if (standing.kind === 'Included' || standing.kind === 'Beaten')
    throw wouldFail('A block spends its coins already, so that no other transaction can');
  if (standing.kind === 'Waiting' && standing.dependents > DEPENDENTS_MAX)
    throw wouldFail(`More than ${DEPENDENTS_MAX} transactions of others depend on it, and nodes do not drive out so many`);
  const paid = BigInt(maxFeeUnits);
  const vbytes = utxoCodecOf(network).vbytesOf(rawHex);
  const rate = (paid * 1_000n + vbytes - 1n) / vbytes;
  const { feeRateFloor } = inFamily('utxo', networkOf(network));
  return {
    milliUnitsPerVbyte: rate + feeRateFloor,
    replacedFeeUnits: standing.kind === 'Waiting' ? greater(standing.feeUnits, paid) : paid,
  };
}

/** The coins that a transaction of ours spends, as its own bytes prove them; that it may is settled since it did. */
function coinsOf({ network, unsignedHex }: PayloadEntity): readonly Coin[] {
  return utxoDecoderOf(network)
    .decode(unsignedHex)
    .inputs.map(({ txid, vout, amountUnits, scriptHex }) => ({
      ...{ txid, vout, amountUnits, scriptHex },
      ...{ confirmations: 0, isCoinbase: false, isOwnChange: true },
    }));
}

async function place(tx: Tx, row: TransferEntity, quoted: ReplacementQuote): Promise<Placed> {
  const { intent, fees, coins, previous, anchor, rivalHash } = quoted;
  const codec = utxoCodecOf(row.network);
  const shared = await coinStore.shared(tx, row);
  if (shared.size === 0 || anchor.length !== shared.size)
    throw wouldFail('Its coins were spent before another transaction could take its place');
  // It would take the coins from under a transfer that is signed already, which nobody could ever send again.
  if (rivalHash !== null && (await coinStore.spending(tx, row.network, rivalHash)).length > 0)
    throw wouldFail('Another transaction spends what it pays back to the wallet');
  const free = (await freeOf(tx, row, coins)).filter(({ txid }) => previous.has(txid));
  const selection = codec.select(intent, free, fees, { anchor });
  if (isFault(selection)) throw wouldFail('Insufficient funds for the higher fee');
  if (selection.feeUnits > BigInt(row.feeCeilingUnits)) return { kind: 'FeeAboveCeiling' };

  const unsigned = codec.build(intent, selection, previous);
  assertInsideEnvelope(utxoDecoderOf(row.network).decode(unsigned.bytesHex), row, selection);
  const added = selection.coins.filter((coin) => !shared.has(keyOfCoin(coin)));
  return { kind: 'Built', unsigned, nonce: null, claims: added.map((coin) => coinClaim(row.fromAddress, coin)), context: null };
}
