import { Context } from '@temporalio/activity';
import type { createGateways } from '../../chains/gateways';
import { networkOf } from '../../chains/networks';
import type { createReaders } from '../../chains/readers';
import type { createScanSources } from '../../chains/scan-sources';
import type { NetworkName } from '../../domain/networks';
import type { Database } from '../../entities/database';
import type { WatchList } from '../../entities/scans/watch-list';
import type { Logger } from '../../platform/logger';
import type { SignerClient } from '../../signer/protocol';
import type { BlockShelves } from '../block-shelves';
import { inRounds } from '../in-rounds';
import { createEarlierCoins } from './earlier-coins';
import { createAssetLookup } from './matches';
import { createScanner } from './scanner';

type Dependencies = {
  readonly db: Database;
  readonly gateways: ReturnType<typeof createGateways>;
  readonly readers: ReturnType<typeof createReaders>;
  readonly scanSources: ReturnType<typeof createScanSources>;
  readonly blockShelves: BlockShelves;
  readonly watchList: WatchList;
  readonly signer: Pick<SignerClient, 'wasSigned'>;
  readonly logger: Logger;
  readonly stopping: AbortSignal;
  readonly scanObserver?: ScanObserver | undefined;
};

/** Must not throw. */
export type ScanObserver = {
  /** Called after each comparison with the head of the network. */
  readonly scanned: (network: NetworkName, behindBlocks: number) => void;
  readonly foreign: (network: NetworkName) => void;
  readonly left: (network: NetworkName) => void;
};

const RETRY_MS = 1_000;
export const FOREIGN_SIGNATURE =
  'a transaction that was not signed here has a signature of the key of this wallet: another party may have the key';

export function createScanActivities({ logger, stopping, scanObserver, ...dependencies }: Dependencies) {
  const { db, gateways, readers, scanSources, blockShelves, watchList, signer } = dependencies;
  return {
    /** While a node is down, the activity waits and does not fail. */
    async scanNetwork({ network: name }: { readonly network: string }): Promise<void> {
      const network = networkOf(name as NetworkName);
      const { source, leave } = blockShelves(network.name).feed(scanSources(network.name));
      const scanner = createScanner({
        ...{ db, network, watchList, signer, gateway: gateways(network.name), source },
        assetOf: createAssetLookup({ db, readers }, network),
        earlierCoins: createEarlierCoins({ db, network, source, reader: readers(network.name) }),
        onForeign: (walletId, txHash) => {
          scanObserver?.foreign(network.name);
          logger.error({ network: name, names: [walletId, txHash] }, FOREIGN_SIGNATURE);
        },
      });
      const step = async (): Promise<number> => {
        const { behindBlocks, pauseMs } = await scanner.step();
        scanObserver?.scanned(network.name, behindBlocks);
        return pauseMs;
      };
      const onFailure = (error: unknown): number => {
        logger.warn({ err: error, network: name }, 'the scanner failed and tries again');
        return RETRY_MS;
      };
      try {
        await inRounds({ context: Context.current(), stopping, step: () => step().catch(onFailure) });
      } finally {
        leave();
        scanObserver?.left(network.name);
      }
    },
  };
}
