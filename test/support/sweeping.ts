import { balanceSweepStore } from '../../entities/scans/balance-sweep.store';
import type { Housekeeping } from './housekeeping';

type Holder = { readonly orgId: string; readonly id: string };

/** Carries out the sweep as if the turn of every address had come. */
export async function sweepAll(house: Housekeeping) {
  await house.upset(`UPDATE watched_addresses SET date_sweep_due = 'epoch'`);
  return house.keep('sweep-balances');
}

/** The differences of a subject as `asset from..to: expected, found, cause`. The native asset is `native`. */
export const differencesOf = async ({ database }: Housekeeping, { orgId, id }: Holder): Promise<string[]> =>
  (await balanceSweepStore.differencesOf(database.db.read(orgId), id)).map(
    ({ contract, fromHeight, toHeight, expectedUnits, foundUnits, cause }) =>
      `${contract || 'native'} ${fromHeight}..${toHeight}: ${expectedUnits}, ${foundUnits}, ${cause}`,
  );
