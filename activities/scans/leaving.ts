import { withdrawMovements } from '../../application/movements/settle';
import { NO_ORGANIZATION } from '../../application/wallets/assets';
import type { NetworkName } from '../../domain/networks';
import type { Database, Tx } from '../../entities/database';
import { type BlockPlace, type KeptBlock, scanStore } from '../../entities/scans/scan.store';
import type { WatchList } from '../../entities/scans/watch-list';
import { during } from '../../platform/points';

type Dependencies = { readonly db: Database; readonly watchList: WatchList; readonly network: NetworkName };

/**
 * Removes blocks that left the chain. A block is `Leaving` until the movements of all organisations are withdrawn, so that a new
 * start finishes what a crash interrupted.
 */
export function createLeaving({ db, watchList, network }: Dependencies) {
  const reader = () => db.read(NO_ORGANIZATION);
  const shared = (work: (tx: Tx) => Promise<void>) => db.withOrg(NO_ORGANIZATION, work);

  /** Withdraws the movements of all blocks that are `Leaving`, and then removes these blocks. */
  async function finish(): Promise<void> {
    const first = (await scanStore.keptBlocks(reader(), network)).find(({ state }) => state === 'Leaving');
    if (!first) return;
    for (const orgId of await watchList.organizationsFrom(network, first.height, first.date)) {
      const withdraw = () => db.withOrg(orgId, (tx) => withdrawMovements(tx, network, first.height, first.date));
      for (let isComplete = false; !isComplete; ) isComplete = await during('withdrawMovements', { network, orgId }, withdraw);
    }
    await during('removeBlocks', { network }, () => shared((tx) => scanStore.removeLeft(tx, network)));
  }

  async function leaveFrom(height: number): Promise<void> {
    await during('leaveBlocks', { network }, () => shared((tx) => scanStore.leave(tx, network, height)));
    await finish();
  }

  return {
    finish,
    leaveFrom,

    /**
     * Removes blocks that a crash left recorded in part and that the chain has replaced since. Otherwise such blocks would
     * occupy their heights for ever.
     */
    async leaveReplaced(last: BlockPlace, read: readonly BlockPlace[]): Promise<void> {
      const hashes = new Set(read.map(({ hash }) => hash));
      const upToHeight = read.at(-1)?.height ?? last.height;
      const replaced = (await scanStore.keptBlocks(reader(), network)).find(
        ({ height, hash, state }: KeptBlock) =>
          state === 'Reading' && height > last.height && height <= upToHeight && !hashes.has(hash),
      );
      if (replaced) await leaveFrom(replaced.height);
    },
  };
}
