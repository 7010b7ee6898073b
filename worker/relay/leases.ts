import { OUTBOX_SHARDS } from '../../domain/outbox';
import type { RelayStore } from '../../entities/outbox/relay.store';

export type Leases = {
  /**
   * Renews the leases. Then claims or releases shards, so that this relay has an even share. Call this function well within the
   * life of a lease. Returns whether this relay has won shards.
   */
  readonly keep: () => Promise<boolean>;
  /** False as soon as another relay can hold the shard. */
  readonly holds: (shard: number) => boolean;
  readonly count: () => number;
  readonly releaseAll: () => Promise<void>;
};

type Options = {
  readonly store: RelayStore;
  readonly holderId: string;
  readonly ttlMs: number;
  /** True while this relay has taken a row of the shard and has not finished that row. The shard is then released later. */
  readonly isBusy: (shard: number) => boolean;
};

/** The relays together hold all shards, and each relay holds about the same number. */
export function createLeases({ store, holderId, ttlMs, isBusy }: Options): Leases {
  let held: readonly number[] = [];
  let validUntil = 0;

  const keep = async (): Promise<boolean> => {
    // The lease is timed from before the query, so this process never assumes a longer lease than the database grants.
    const asked = performance.now();
    let mine = await store.renew(holderId, ttlMs);
    if (!mine.some((number) => number < 0)) mine = [...mine, ...(await store.claim(holderId, ttlMs, 'presence', 1))];
    const shards = mine.filter((number) => number >= 0);
    const share = Math.ceil(OUTBOX_SHARDS / Math.max(1, await store.countHolders()));
    if (shards.length < share) {
      held = [...shards, ...(await store.claim(holderId, ttlMs, 'shards', share - shards.length))];
    } else {
      const excess = shards.filter((shard) => !isBusy(shard)).slice(0, shards.length - share);
      held = shards.filter((shard) => !excess.includes(shard));
      if (excess.length > 0) await store.release(holderId, excess);
    }
    validUntil = asked + ttlMs;
    return held.length > shards.length;
  };

  return {
    keep,
    holds: (shard) => performance.now() < validUntil && held.includes(shard),
    count: () => (performance.now() < validUntil ? held.length : 0),
    releaseAll: async () => {
      validUntil = 0;
      held = [];
      await store.release(holderId, await store.renew(holderId, ttlMs));
    },
  };
}
