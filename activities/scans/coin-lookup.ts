import type { CoinLookup, KnownCoin } from '../../chains/types';
import type { NetworkName } from '../../domain/networks';
import type { Database } from '../../entities/database';
import { receivedCoinStore } from '../../entities/scans/received-coin.store';
import type { WatchList } from '../../entities/scans/watch-list';

type Dependencies = { readonly db: Database; readonly watchList: WatchList; readonly network: NetworkName };

/** A block of Bitcoin Cash can spend coins of several hundred thousand transactions. */
const TRANSACTIONS_AT_ONCE = 10_000;

/**
 * Looks up the coins of all organisations. The relay role finds the organisations that have such coins. The amounts are then
 * read in the name of each organisation.
 */
export function createCoinLookup({ db, watchList, network }: Dependencies): CoinLookup {
  return async (txids) => {
    const found = new Map<string, KnownCoin>();
    for (let at = 0; at < txids.length; at += TRANSACTIONS_AT_ONCE) {
      const asked = txids.slice(at, at + TRANSACTIONS_AT_ONCE);
      for (const orgId of await watchList.organizationsWithCoins(network, asked))
        for (const { txid, vout, ...coin } of await receivedCoinStore.ofTransactions(db.read(orgId), network, asked))
          found.set(`${txid}:${vout}`, coin);
    }
    return found;
  };
}
