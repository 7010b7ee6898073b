import type { Network, ScanSource } from '../../chains/types';
import type { Database } from '../../entities/database';
import type { LoadedAddress, WatchList } from '../../entities/scans/watch-list';
import { watchedAddressStore } from '../../entities/scans/watched-address.store';
import { createAddressTable } from './address-table';
import { byOrganization } from './by-organization';

type Dependencies = {
  readonly db: Database;
  readonly source: Pick<ScanSource, 'key' | 'plain'>;
  readonly watchList: WatchList;
  readonly network: Network;
};

export type ScannedAddresses = {
  readonly isWatched: (plain: string) => boolean;
  /** Loads addresses that are new since the last call. Returns whether there is any address. */
  readonly load: () => Promise<boolean>;
  /** The time at which the service learnt of the oldest loaded address for which no block has been read yet. */
  readonly oldestMs: () => number | undefined;
  /** Notes that the movements of the addresses loaded so far are complete from this block on. */
  readonly noteLive: (fromHeight: number) => Promise<void>;
};

/** The addresses of all organisations on one network. */
export function createScannedAddresses({ db, source, watchList, network: { name } }: Dependencies): ScannedAddresses {
  const table = createAddressTable(source.key);
  let mark: string | undefined;
  let notLive: readonly LoadedAddress[] = [];
  return {
    isWatched: table.has,
    load: async () => {
      const { addresses, next } = await watchList.load(name, mark);
      for (const { address } of addresses) table.add(source.plain(address));
      notLive = [...notLive, ...addresses.filter(({ isLive }) => !isLive)];
      mark = next;
      return table.size() > 0;
    },
    oldestMs: () => notLive.reduce<number | undefined>((oldest, { addedMs }) => Math.min(oldest ?? addedMs, addedMs), undefined),
    noteLive: async (fromHeight) => {
      for (const [orgId, own] of byOrganization(notLive)) {
        const subjects = own.map(({ subjectId }) => subjectId);
        await db.withOrg(orgId, (tx) => watchedAddressStore.noteLive(tx, name, subjects, fromHeight));
      }
      notLive = [];
    },
  };
}
