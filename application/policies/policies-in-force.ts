import type { ActivityKind } from '../../domain/policies';
import type { Tx } from '../../entities/database';
import type { PolicyStand } from '../../entities/organizations/organization.store';
import { type Policy, policyStore } from '../../entities/policies/policy.store';

type Kept = PolicyStand & { readonly policies: readonly Policy[] };

/** The maximum number of entries in the cache. Each entry contains the policies of one organisation for one kind of activity. */
const KEPT_MAX = 1_000;
const kept = new Map<string, Kept>();

/**
 * The policies at the epoch that the transaction has read. The epoch number alone does not identify the cached policies: after
 * a rollback, the next change reuses the number for other policies. The cache therefore also compares the unique id of the
 * transaction that wrote the epoch.
 */
export async function policiesInForce(
  tx: Tx,
  kind: ActivityKind,
  { policyEpoch, writtenBy }: PolicyStand,
): Promise<readonly Policy[]> {
  const key = `${tx.orgId} ${kind}`;
  const present = kept.get(key);
  kept.delete(key);
  const found =
    present?.policyEpoch === policyEpoch && present.writtenBy === writtenBy
      ? present
      : { policyEpoch, writtenBy, policies: await policyStore.inForce(tx, kind) };
  kept.set(key, found);
  const [oldest] = kept.keys();
  if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
  return found.policies;
}
