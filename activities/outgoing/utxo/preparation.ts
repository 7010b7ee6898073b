import { utxoCodecOf } from '../../../chains/codecs';
import { utxoDecoderOf } from '../../../chains/decoders';
import { inFamily } from '../../../chains/families';
import { networkOf } from '../../../chains/networks';
import type { createReaders } from '../../../chains/readers';
import type { SelectionFault } from '../../../chains/utxo/types';
import { AppError, invariant } from '../../../domain/errors';
import type { Database, Tx } from '../../../entities/database';
import { coinClaim, coinStore } from '../../../entities/outgoing/coin.store';
import type { OutgoingEntity } from '../../../entities/outgoing/outgoing.entity';
import type { BuildOutcome, FamilyPreparation } from '../family-forms';
import { quoteChild } from './child';
import { intentOf, isFault, likelyOf, type Quote, spendableOf, sumOf } from './choice';
import { assertInsideEnvelope } from './envelope';
import { quoteRaw } from './raw-preparation';

const FAULTS: Readonly<Record<SelectionFault, string>> = {
  InsufficientFunds: 'Insufficient funds for the amount and its fee',
  TooManyCoins:
    'The amount is spread over more coins than one transaction can carry; send a part of it to the wallet itself first',
  Dust: 'The amount is too small for the network to relay',
};

/**
 * The Bitcoin family: chooses coins that no other transaction of the service can still spend. The choice happens under the lock
 * of the lane, which is the sender's queue.
 */
export function createUtxoPreparation(db: Database, readers: ReturnType<typeof createReaders>): FamilyPreparation {
  const quote = async (row: OutgoingEntity): Promise<Quote> => {
    const reader = inFamily('utxo', readers(row.network));
    const [coins, rates] = await Promise.all([reader.coins(row.fromAddress), reader.feeRates()]);
    const rows = db.read(row.orgId);
    const intent = await intentOf(rows, row);
    const fees = { milliUnitsPerVbyte: rates[row.priority].milliUnitsPerVbyte };
    const free = await spendableOf(rows, row, coins);
    const likely = likelyOf(utxoCodecOf(row.network).select(intent, free, fees), free);
    const previous = await reader.previousTransactions(likely.map(({ txid }) => txid));
    return { intent, fees, coins, previous };
  };
  return {
    quote: async (asked) => {
      const { terms, paysForId } = asked;
      if (paysForId !== null) return quoteChild(db, inFamily('utxo', readers(asked.network)), asked, paysForId);
      if (terms !== null) {
        invariant(terms.family === 'utxo', 'a transaction of the Bitcoin family');
        return quoteRaw(inFamily('utxo', readers(asked.network)), asked, terms);
      }
      const quoted = await quote(asked);
      return (tx, row) => place(tx, row, quoted);
    },
  };
}

async function place(tx: Tx, row: OutgoingEntity, { intent, fees, coins, previous }: Quote): Promise<BuildOutcome> {
  const network = inFamily('utxo', networkOf(row.network));
  const codec = utxoCodecOf(row.network);
  const lane = await coinStore.standing(tx, { network: row.network, address: row.fromAddress }, row);
  const free = await spendableOf(tx, row, coins);
  const selection = codec.select(
    intent,
    free.filter(({ txid }) => previous.has(txid)),
    fees,
  );
  if (isFault(selection)) {
    const spendable = codec.select(intent, free, fees);
    if (!isFault(spendable)) throw new AppError('NetworkUnavailable', 'Other transactions took the chosen coins');
    // Claimed coins are included too, because the open transactions that claim these coins return change.
    const mayCome = spendable === 'InsufficientFunds' && lane.open > 0 && sumOf(coins) > intent.amountUnits;
    if (mayCome) return { kind: 'Waits', detail: 'Funds', queued: true };
    throw new AppError('TransferWouldFail', FAULTS[spendable]);
  }
  // A transaction may spend the change of an earlier transaction, so `inFlightMax` also bounds a chain of unconfirmed
  // transactions.
  if (lane.ahead >= network.inFlightMax - lane.open) return { kind: 'Waits', detail: 'Turn', queued: true };
  if (selection.feeUnits > BigInt(row.feeCeilingUnits)) return { kind: 'FeeAboveCeiling' };

  const unsigned = codec.build(intent, selection, previous);
  assertInsideEnvelope(utxoDecoderOf(row.network).decode(unsigned.bytesHex), row, selection);
  return {
    kind: 'Built',
    unsigned,
    nonce: null,
    claims: selection.coins.map((coin) => coinClaim(row.fromAddress, coin)),
    context: null,
  };
}
