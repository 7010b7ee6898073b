import { readHoldings } from '../../application/movements/holdings';
import type { ChainReader } from '../../chains/types';
import type { DutyResult } from '../../domain/housekeeping';
import type { NetworkName } from '../../domain/networks';
import type { DueWallet } from '../../entities/housekeeping/housekeeping.store';
import { type DutyParts, ROWS_MAX, resultOf } from './duty';

export type HoldingParts = {
  readonly networks: readonly NetworkName[];
  readonly readers: (network: NetworkName) => ChainReader;
};

const PARALLEL_MAX = 8;

/** A network whose nodes do not respond waits for the next run, so that the round ends in time. */
export function createHoldingDuty({ db, housekeeping, logger, networks, readers }: DutyParts & HoldingParts) {
  return async (after: string | undefined): Promise<DutyResult> => {
    const wallets = await housekeeping.walletsToRead(networks, after, ROWS_MAX);
    const silent = new Set<NetworkName>();
    let done = 0;
    const read = async ({ orgId, id, network }: DueWallet): Promise<void> => {
      if (silent.has(network)) return;
      try {
        await readHoldings({ db, readers }, orgId, id);
        done += 1;
      } catch (err) {
        if (!silent.has(network)) logger.warn({ network, orgId, recordId: id, err }, 'the balances of wallets could not be read');
        silent.add(network);
      }
    };
    for (let from = 0; from < wallets.length; from += PARALLEL_MAX)
      await Promise.all(wallets.slice(from, from + PARALLEL_MAX).map(read));
    return resultOf(wallets, done);
  };
}
