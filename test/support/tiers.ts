import { networkOf } from '../../chains/networks';
import type { NetworkName, Tier } from '../../domain/networks';

/** Calls `run` while the record of a network has this tier, as records of later families will. */
export async function inTier<T>(name: NetworkName, tier: Tier, run: () => Promise<T>): Promise<T> {
  const record: { tier: Tier } = networkOf(name);
  const before = record.tier;
  record.tier = tier;
  try {
    return await run();
  } finally {
    record.tier = before;
  }
}
