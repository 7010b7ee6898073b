import { Context } from '@temporalio/activity';
import type { createGateways } from '../../chains/gateways';
import { networkOf } from '../../chains/networks';
import type { createReaders } from '../../chains/readers';
import type { createScanSources } from '../../chains/scan-sources';
import type { BackfillRef, BackfillRound } from '../../domain/backfills';
import type { NetworkName } from '../../domain/networks';
import type { Database } from '../../entities/database';
import type { Logger } from '../../platform/logger';
import type { SignerClient } from '../../signer/protocol';
import { inRounds } from '../in-rounds';
import { createAssetLookup } from '../scans/matches';
import { FOREIGN_SIGNATURE, type ScanObserver } from '../scans/scan-networks';
import { createBackfill } from './backfill';
import { createTurns, type Turns } from './turns';

type Dependencies = {
  readonly db: Database;
  readonly gateways: ReturnType<typeof createGateways>;
  readonly readers: ReturnType<typeof createReaders>;
  readonly scanSources: ReturnType<typeof createScanSources>;
  readonly signer: Pick<SignerClient, 'wasSigned'>;
  readonly logger: Logger;
  readonly stopping: AbortSignal;
  readonly scanObserver?: Pick<ScanObserver, 'foreign'> | undefined;
};

/**
 * After each step the back-fills of a network rest for four times the length of the step, so they take a fifth of the nodes'
 * time.
 */
const RESTS = 4;
/** A back-fill gives up its turn after this time, and the next back-fill of the network follows. */
const TURN_MS = 60_000;
const NO_TURN_MS = 10_000;

export function createBackfillActivities({ logger, stopping, scanObserver, ...dependencies }: Dependencies) {
  const { db, gateways, readers, scanSources, signer } = dependencies;
  const turns = new Map<NetworkName, Turns>();
  const turnsOf = (network: NetworkName): Turns => {
    const own = turns.get(network) ?? createTurns();
    turns.set(network, own);
    return own;
  };

  return {
    async backfillAddress({ orgId, id, network: name }: BackfillRef): Promise<BackfillRound> {
      const network = networkOf(name as NetworkName);
      const own = turnsOf(network.name);
      if (!own.take(id)) return { isOver: false, pauseMs: NO_TURN_MS };
      let restMs = 0;
      try {
        const source = scanSources(network.name);
        const onForeign = (walletId: string, txHash: string) => {
          scanObserver?.foreign(network.name);
          logger.error({ network: name, names: [walletId, txHash] }, FOREIGN_SIGNATURE);
        };
        const assetOf = createAssetLookup({ db, readers }, network);
        const gateway = gateways(network.name);
        const backfill = createBackfill({ db, network, source, gateway, assetOf, signer, onForeign }, orgId, id);
        let last: BackfillRound = { isOver: false, pauseMs: 0 };
        const ended = new AbortController();
        const ends = performance.now() + TURN_MS;
        const step = async (): Promise<number> => {
          const began = performance.now();
          const { isOver, waitMs } = await backfill.step();
          restMs = (performance.now() - began) * RESTS;
          last = { isOver, pauseMs: waitMs };
          if (isOver || waitMs > 0 || performance.now() + restMs > ends) ended.abort();
          return restMs;
        };
        await inRounds({ context: Context.current(), stopping: AbortSignal.any([stopping, ended.signal]), step });
        return last;
      } finally {
        own.leave(id, restMs);
      }
    },
  };
}

export type BackfillActivities = ReturnType<typeof createBackfillActivities>;
