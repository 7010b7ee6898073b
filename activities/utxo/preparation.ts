import { utxoCodecOf } from '../../chains/codecs';
import { utxoDecoderOf } from '../../chains/decoders';
import { inFamily } from '../../chains/families';
import { networkOf } from '../../chains/networks';
import type { createReaders } from '../../chains/readers';
import type { Coin, Selection, SelectionFault, UtxoFees, UtxoIntent } from '../../chains/utxo/types';
import { AppError, invariant } from '../../domain/errors';
import type { Database, Reader, Tx } from '../../entities/database';
import { keyStore } from '../../entities/keys/key.store';
import { coinClaim, coinStore, keyOfCoin } from '../../entities/transfers/coin.store';
import type { TransferEntity } from '../../entities/transfers/transfer.entity';
import type { FamilyPreparation, Placed } from '../families';
import { assertInsideEnvelope } from './envelope';
import { quoteRaw } from './raw-preparation';

/** What the node said before the lane was locked. */
export type Quote = {
  readonly intent: UtxoIntent;
  readonly fees: UtxoFees;
  readonly coins: readonly Coin[];
  /** The whole transactions of the coins that may be chosen, by their ids (S6). */
  readonly previous: ReadonlyMap<string, string>;
};

/** Coins beside those chosen first whose transactions are fetched too: somebody else may be faster with some of the first. */
const SPARE_COINS = 12;

const FAULTS: Readonly<Record<SelectionFault, string>> = {
  InsufficientFunds: 'Insufficient funds for the amount and its fee',
  TooManyCoins:
    'The amount is spread over more coins than one transaction can carry; send a part of it to the wallet itself first',
  Dust: 'The amount is so small that the network does not carry it',
};

export const isFault = (selection: Selection | SelectionFault): selection is SelectionFault => typeof selection === 'string';
const sumOf = (coins: readonly Coin[]) => coins.reduce((sum, { amountUnits }) => sum + amountUnits, 0n);

/** Bitcoin family: coins of the sender that no other transaction of ours has, chosen under the lane's lock. */
export function createUtxoPreparation(db: Database, readers: ReturnType<typeof createReaders>): FamilyPreparation {
  const quote = async (row: TransferEntity): Promise<Quote> => {
    const reader = inFamily('utxo', readers(row.network));
    const [coins, rates] = await Promise.all([reader.coins(row.fromAddress), reader.feeRates()]);
    const rows = db.read(row.orgId);
    const intent = await intentOf(rows, row);
    const fees = { milliUnitsPerVbyte: rates[row.priority].milliUnitsPerVbyte };
    const free = await freeOf(rows, row, coins);
    const likely = likelyOf(utxoCodecOf(row.network).select(intent, free, fees), free);
    const previous = await reader.previousTransactions(likely.map(({ txid }) => txid));
    return { intent, fees, coins, previous };
  };
  return {
    quote: async (asked) => {
      const { terms } = asked;
      if (terms !== null) {
        invariant(terms.family === 'utxo', 'a transaction of the Bitcoin family');
        return quoteRaw(inFamily('utxo', readers(asked.network)), asked, terms);
      }
      const quoted = await quote(asked);
      return (tx, row) => place(tx, row, quoted);
    },
  };
}

export async function intentOf(reader: Reader, row: TransferEntity): Promise<UtxoIntent> {
  const key = await keyStore.ofWallet(reader, row.walletId);
  invariant(key?.publicKey, `the key of ${row.walletId} has a public key`);
  const { network, fromAddress: from, toAddress: to, amountUnits } = row;
  return { network, from, to, amountUnits: BigInt(amountUnits), publicKeyHex: key.publicKey };
}

/** Coins that were chosen first, and the largest of the others. */
export function likelyOf(first: Selection | SelectionFault, free: readonly Coin[]): readonly Coin[] {
  const chosen = isFault(first) ? [] : first.coins;
  const keys = new Set(chosen.map(keyOfCoin));
  const spare = [...free].sort(byAmount).filter((coin) => !keys.has(keyOfCoin(coin)));
  return [...chosen, ...spare.slice(0, SPARE_COINS)];
}

const byAmount = (a: Coin, b: Coin) => Number(b.amountUnits > a.amountUnits) - Number(b.amountUnits < a.amountUnits);

/** Without those that are claimed. Unconfirmed change counts only where our rows know its transaction: a node may call a stranger's safe. */
export async function freeOf(reader: Reader, row: TransferEntity, coins: readonly Coin[]): Promise<readonly Coin[]> {
  const lane = { network: row.network, address: row.fromAddress };
  const unconfirmed = coins.filter(({ confirmations }) => confirmations === 0).map(({ txid }) => txid);
  const claimed = await coinStore.claimed(reader, row.network, coins.map(keyOfCoin));
  const own = unconfirmed.length === 0 ? new Set<string>() : await coinStore.ownTransactions(reader, lane, unconfirmed);
  return coins.filter(
    (coin) => !claimed.has(keyOfCoin(coin)) && (coin.confirmations > 0 || (coin.isOwnChange && own.has(coin.txid))),
  );
}

async function place(tx: Tx, row: TransferEntity, { intent, fees, coins, previous }: Quote): Promise<Placed> {
  const network = inFamily('utxo', networkOf(row.network));
  const codec = utxoCodecOf(row.network);
  const lane = await coinStore.standing(tx, { network: row.network, address: row.fromAddress }, row);
  const free = await freeOf(tx, row, coins);
  const selection = codec.select(
    intent,
    free.filter(({ txid }) => previous.has(txid)),
    fees,
  );
  if (isFault(selection)) {
    const spendable = codec.select(intent, free, fees);
    if (!isFault(spendable)) throw new AppError('NetworkUnavailable', 'Other transactions took the coins that were looked at');
    // What open transactions spend comes back as change, so it counts until they are final.
    const mayCome = spendable === 'InsufficientFunds' && lane.open > 0 && sumOf(coins) > intent.amountUnits;
    if (mayCome) return { kind: 'Waits', detail: 'Funds', queued: true };
    throw new AppError('TransferWouldFail', FAULTS[spendable]);
  }
  // Each may spend the change of the one before it, so this is also how long a chain of unconfirmed ones can be.
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
