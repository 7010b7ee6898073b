import type { Coin, Selection, SelectionFault, UtxoFees, UtxoIntent } from '../../../chains/utxo/types';
import { invariant } from '../../../domain/errors';
import type { Reader } from '../../../entities/database';
import { keyStore } from '../../../entities/keys/key.store';
import { coinStore, keyOfCoin } from '../../../entities/outgoing/coin.store';
import type { OutgoingEntity } from '../../../entities/outgoing/outgoing.entity';

export type Quote = {
  readonly intent: UtxoIntent;
  readonly fees: UtxoFees;
  readonly coins: readonly Coin[];
  /** The whole transactions of the coins that may be chosen, by id (S6). */
  readonly previous: ReadonlyMap<string, string>;
};

/** The number of coins to choose in addition, because another request may claim some of the first coins. */
const SPARE_COINS = 12;

export const isFault = (selection: Selection | SelectionFault): selection is SelectionFault => typeof selection === 'string';

export async function intentOf(reader: Reader, row: OutgoingEntity): Promise<UtxoIntent> {
  const key = await keyStore.ofWallet(reader, row.walletId);
  invariant(key?.publicKey, `the key of ${row.walletId} has a public key`);
  const { network, fromAddress: from, toAddress: to, amountUnits } = row;
  return { network, from, to, amountUnits: BigInt(amountUnits), publicKeyHex: key.publicKey };
}

export function likelyOf(first: Selection | SelectionFault, free: readonly Coin[]): readonly Coin[] {
  const chosen = isFault(first) ? [] : first.coins;
  const keys = new Set(chosen.map(keyOfCoin));
  const spare = [...free].sort(byAmount).filter((coin) => !keys.has(keyOfCoin(coin)));
  return [...chosen, ...spare.slice(0, SPARE_COINS)];
}

const byAmount = (a: Coin, b: Coin) => Number(b.amountUnits > a.amountUnits) - Number(b.amountUnits < a.amountUnits);

/**
 * The coins that a new payment may spend: free coins, and the confirmed left coins of one dead transaction. A dead transaction
 * is signed but can never confirm. A left coin is an unspent coin that is still claimed for a dead transaction. The left coins
 * come from one dead transaction, because an order to the signer can contain only one competing request. Among several dead
 * transactions, the transaction with the highest sum of left coins is chosen.
 */
export async function spendableOf(reader: Reader, row: OutgoingEntity, coins: readonly Coin[]): Promise<readonly Coin[]> {
  const [free, left] = await Promise.all([freeOf(reader, row, coins), coinStore.left(reader, row.network, coins.map(keyOfCoin))]);
  const byOwner = new Map<string, Coin[]>();
  for (const coin of coins) {
    const owner = left.get(keyOfCoin(coin));
    if (owner !== undefined && coin.confirmations > 0) byOwner.set(owner, [...(byOwner.get(owner) ?? []), coin]);
  }
  const [most = []] = [...byOwner.values()].sort((a, b) => Number(sumOf(b) - sumOf(a)));
  return [...free, ...most];
}

export const sumOf = (coins: readonly Coin[]): bigint => coins.reduce((sum, { amountUnits }) => sum + amountUnits, 0n);

/**
 * Returns the unclaimed coins that are confirmed or the sender's own change. A node may mark a stranger's unconfirmed coin as
 * safe, so unconfirmed change is included only if the service has its transaction.
 */
export async function freeOf(reader: Reader, row: OutgoingEntity, coins: readonly Coin[]): Promise<readonly Coin[]> {
  const lane = { network: row.network, address: row.fromAddress };
  const unconfirmed = coins.filter(({ confirmations }) => confirmations === 0).map(({ txid }) => txid);
  const claimed = await coinStore.claimed(reader, row.network, coins.map(keyOfCoin));
  const own = unconfirmed.length === 0 ? new Set<string>() : await coinStore.ownTransactions(reader, lane, unconfirmed);
  return coins.filter(
    (coin) => !claimed.has(keyOfCoin(coin)) && (coin.confirmations > 0 || (coin.isOwnChange && own.has(coin.txid))),
  );
}
