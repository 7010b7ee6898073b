import type { Network, ChainReader as NetworkReader, ScanSource } from '../../chains/types';
import type { Database } from '../../entities/database';
import { receivedCoinStore } from '../../entities/scans/received-coin.store';
import type { LoadedAddress } from '../../entities/scans/watch-list';
import { watchedAddressStore } from '../../entities/scans/watched-address.store';
import { byOrganization } from './by-organization';

type Dependencies = {
  readonly db: Database;
  readonly network: Network;
  readonly source: ScanSource;
  readonly reader: NetworkReader;
};

/** The interval of the retries. A node that reads its chain for an address may need hours. */
const RETRY_MS = 60_000;

/** Makes known the coins that addresses received before any block was read for the addresses. */
export type EarlierCoins = {
  /** Begins to load the coins of those addresses that may have some. */
  readonly begin: (added: readonly LoadedAddress[]) => Promise<void>;
  /** True while coins of the address may be unknown. */
  readonly isMissing: (address: LoadedAddress) => boolean;
};

/**
 * Loads in parallel with the scan, so that the other wallets of the network do not wait. Only a wallet whose key was imported, or
 * is older than the wallet, may have coins. For a new key the node would read its chain without need.
 */
export function createEarlierCoins({ db, network, source, reader }: Dependencies): EarlierCoins | undefined {
  if (!source.earlierCoins) return undefined;
  const coinsOf = source.earlierCoins.bind(source, reader);
  const missing = new Map<string, LoadedAddress>();
  let isLoading = false;
  let restsUntil = 0;

  async function load({ orgId, subjectId, address }: LoadedAddress): Promise<void> {
    const coins = await coinsOf(address);
    await db.withOrg(orgId, (tx) =>
      receivedCoinStore.put(
        tx,
        network.name,
        coins.map((coin) => ({ subjectId, ...coin })),
      ),
    );
    missing.delete(keyOf({ orgId, subjectId }));
  }

  async function loadMissing(): Promise<void> {
    if (isLoading || missing.size === 0 || performance.now() < restsUntil) return;
    isLoading = true;
    for (const one of [...missing.values()]) await load(one).catch(() => undefined);
    if (missing.size > 0) restsUntil = performance.now() + RETRY_MS;
    isLoading = false;
  }

  return {
    isMissing: (address) => missing.has(keyOf(address)),
    begin: async (added) => {
      for (const [orgId, own] of byOrganization(added)) {
        const subjects = own.map(({ subjectId }) => subjectId);
        const older = new Set(await watchedAddressStore.withOlderKeys(db.read(orgId), subjects));
        for (const one of own) if (older.has(one.subjectId)) missing.set(keyOf(one), one);
      }
      void loadMissing();
    },
  };
}

const keyOf = ({ orgId, subjectId }: Pick<LoadedAddress, 'orgId' | 'subjectId'>) => `${orgId} ${subjectId}`;
