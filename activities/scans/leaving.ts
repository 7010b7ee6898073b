import { withdrawMovements } from '../../application/movements/settle';
import { NO_ORGANIZATION } from '../../application/wallets/assets';
import type { NetworkName } from '../../domain/networks';
import type { Database } from '../../entities/database';
import { type BlockPlace, type KeptBlock, scanStore } from '../../entities/scans/scan.store';
import type { WatchList } from '../../entities/scans/watch-list';

type Dependencies = { readonly db: Database; readonly watchList: WatchList; readonly network: NetworkName };

/**
 * Removes blocks that left the chain. A block is `Leaving` until the movements of all organisations are withdrawn, so that a new
 * start finishes what a crash interrupted.
 */
export function createLeaving({ db, watchList, network }: Dependencies) {
  const reader = () => db.read(NO_ORGANIZATION);

  /** Withdraws the movements of all blocks that are `Leaving`, and then removes these blocks. */
  async function finish(): Promise<void> {
    const first = (await scanStore.keptBlocks(reader(), network)).find(({ state }) => state === 'Leaving');
    if (!first) return;
    for (const orgId of await watchList.organizationsFrom(network, first.height, first.date)) {
      for (let isComplete = false; !isComplete; )
        isComplete = await db.withOrg(orgId, (tx) => withdrawMovements(tx, network, first.height, first.date));
    }
    await db.withOrg(NO_ORGANIZATION, (tx) => scanStore.removeLeft(tx, network));
  }

  async function leaveFrom(height: number): Promise<void> {
    await db.withOrg(NO_ORGANIZATION, (tx) => scanStore.leave(tx, network, height));
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
