import { confirmMovements } from '../../application/movements/settle';
import { NO_ORGANIZATION } from '../../application/wallets/assets';
import { watchedDepthOf } from '../../chains/networks';
import type { Gateway, Network, ScanSource } from '../../chains/types';
import type { Database, Tx } from '../../entities/database';
import { type KeptBlock, scanStore } from '../../entities/scans/scan.store';
import type { WatchList } from '../../entities/scans/watch-list';
import { during } from '../../platform/points';
import type { Progress } from './ledger';

type Dependencies = {
  readonly db: Database;
  /** Reads a block from as many nodes as the configuration demands (S7). */
  readonly gateway: Pick<Gateway, 'block'>;
  readonly source: Pick<ScanSource, 'finalHeight'>;
  readonly watchList: WatchList;
  readonly network: Network;
};

/** Confirms the movements that are final at this head. Returns the progress without the blocks that are now too old to keep. */
export function createConfirmations({ db, gateway, source, watchList, network }: Dependencies) {
  const { name, confirmations } = network;

  /** Returns the organisations that had something to confirm, or undefined if the nodes have another block at this height. */
  async function confirm(at: KeptBlock): Promise<readonly string[] | undefined> {
    // One hash commits to all earlier blocks, because the blocks are linked by their parent hashes.
    if ((await gateway.block(at.height))?.hash !== at.hash) return undefined;
    const orgIds = await watchList.organizationsWithIncluded(name, at.height);
    for (const orgId of orgIds) {
      const settle = () => db.withOrg(orgId, (tx) => confirmMovements(tx, name, at.height));
      // The relay starts the judgements. If they were started here, the next block would wait for all of them.
      for (let isComplete = false; !isComplete; ) isComplete = await during('confirmMovements', { network: name, orgId }, settle);
    }
    return orgIds;
  }

  return async ({ scan, blocks }: Progress, headHeight: number): Promise<Progress> => {
    const finalHeight = Math.min(headHeight - confirmations + 1, (await source.finalHeight?.()) ?? headHeight);
    const at = blocks.findLast(({ height }) => height <= finalHeight);
    const orgIds = at && at.height > scan.confirmedHeight ? await confirm(at) : undefined;
    if (!at || !orgIds) return { scan, blocks };
    const keptFrom = Math.min(at.height, headHeight - watchedDepthOf(network)) + 1;
    const old = blocks.findLast(({ height }) => height < keptFrom);
    const note = async (tx: Tx) => {
      await scanStore.noteConfirmed(tx, name, at.height);
      if (old) await scanStore.fold(tx, name, old.height);
    };
    await during('noteConfirmed', { network: name, orgIds }, () => db.withOrg(NO_ORGANIZATION, note));
    const folded = old ?? scan.folded;
    return { scan: { ...scan, folded, confirmedHeight: at.height }, blocks: blocks.filter(({ height }) => height >= keptFrom) };
  };
}
