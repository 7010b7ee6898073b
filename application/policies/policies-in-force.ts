import type { ActivityKind } from '../../domain/policies';
import type { Tx } from '../../entities/database';
import type { PolicyStand } from '../../entities/organizations/organization.store';
import { type Policy, policyStore } from '../../entities/policies/policy.store';

type Kept = PolicyStand & { readonly policies: readonly Policy[] };

/** For how many combinations of organisation and activity kind a process caches the policies. */
const KEPT_MAX = 1_000;
const kept = new Map<string, Kept>();

/**
 * The policies that judge activities of this kind at the epoch that the transaction has read. A process reads them once for each epoch of the
 * organisation. The epoch alone does not identify them: a transaction that raised it and was rolled back would leave its policies cached under a
 * number that the next change reuses. The cache key therefore includes the id of the transaction that wrote the epoch, which is unique.
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
