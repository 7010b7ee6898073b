import { networkOf } from '../../chains/networks';
import type { NetworkName, Tier } from '../../domain/networks';

/** Runs something while the record of a network says this tier, as records of families to come will. */
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
