import { noteLive } from '../../application/backfills/start-backfill';
import type { Network, ScanSource } from '../../chains/types';
import type { Database } from '../../entities/database';
import type { LoadedAddress, WatchList } from '../../entities/scans/watch-list';
import { during } from '../../platform/points';
import { createAddressTable } from './address-table';
import { byOrganization } from './by-organization';
import type { EarlierCoins } from './earlier-coins';

type Dependencies = {
  readonly db: Database;
  readonly source: Pick<ScanSource, 'key' | 'plain' | 'dateLagMsMax'>;
  readonly watchList: WatchList;
  readonly network: Network;
  readonly earlierCoins: EarlierCoins | undefined;
};

export type ScannedAddresses = {
  readonly isWatched: (plain: string) => boolean;
  /** Loads addresses that are new since the last call. Returns whether there is any address. */
  readonly load: () => Promise<boolean>;
  /** The time at which the service learnt of the oldest loaded address for which no block has been read yet. */
  readonly oldestMs: () => number | undefined;
  /** Notes that the movements and coins of the addresses loaded so far are complete from this block on. */
  readonly noteLive: (fromHeight: number) => Promise<void>;
};

/** The addresses of all organisations on one network. */
export function createScannedAddresses(dependencies: Dependencies): ScannedAddresses {
  const { db, source, watchList, earlierCoins } = dependencies;
  const { name } = dependencies.network;
  const table = createAddressTable(source.key);
  let mark: string | undefined;
  let notLive: readonly LoadedAddress[] = [];
  return {
    isWatched: table.has,
    load: async () => {
      const added: LoadedAddress[] = [];
      const next = await watchList.load(name, mark, (one) => {
        table.add(source.plain(one.address));
        if (!one.isLive) added.push(one);
      });
      await earlierCoins?.begin(added);
      notLive = [...notLive, ...added];
      mark = next;
      return table.size() > 0;
    },
    oldestMs: () => notLive.reduce<number | undefined>((oldest, { addedMs }) => Math.min(oldest ?? addedMs, addedMs), undefined),
    noteLive: async (fromHeight) => {
      const missing = new Set(notLive.filter((address) => earlierCoins?.isMissing(address)));
      for (const [orgId, own] of byOrganization(notLive.filter((address) => !missing.has(address)))) {
        const subjects = own.map(({ subjectId }) => subjectId);
        const from = { fromHeight, lagMs: source.dateLagMsMax };
        const note = () => db.withOrg(orgId, (tx) => noteLive(tx, dependencies.network, subjects, from));
        await during('noteLive', { network: name, orgId }, note);
      }
      notLive = [...missing];
    },
  };
}
