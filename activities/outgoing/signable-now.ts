import type { Proofs } from '../../application/approvals/countable-votes';
import { footingOf } from '../../application/approvals/what-was-approved';
import { registerFreezeWaiter } from '../../application/freezes/active-freezes';
import type { Unsigned } from '../../application/outgoing/end/fail';
import type { Frozen } from '../../domain/freezes';
import type { Database } from '../../entities/database';
import { organizationStore } from '../../entities/organizations/organization.store';
import type { HeldRecords, HeldRow } from './held-records';

/**
 * A frozen record waits for its release. A record that must not be signed may end only after the signer has promised never to
 * sign the record.
 */
export type Stop = 'PolicyChanged' | Frozen | (Unsigned & { readonly isAltered: boolean });

/** The order to the signer is made from this copy of the row, so a later write does not change the order. */
export type Signable<R> = { readonly row: R; readonly stop: Stop | undefined };

const STOPPED = 'A policy that came into force after the transaction was built does not allow the transaction';

/**
 * Reads the record under a lock, and finds any reason not to sign. The lock is released before the order is sent to the signer,
 * so a later policy change does not stop this order.
 */
export function signableNow<R extends HeldRow>(
  db: Database,
  { lock, grounds, freeze }: Pick<HeldRecords<R>, 'lock' | 'grounds' | 'freeze'>,
  { orgId, id }: { readonly orgId: string; readonly id: string },
  proofs: Proofs,
): Promise<Signable<R>> {
  return db.withOrg(orgId, async (tx) => {
    const [row, stand] = await Promise.all([lock(tx, id), organizationStore.policyStand(tx)]);
    if (row.state !== 'Signing') return { row, stop: undefined };
    const [frozen, footing] = await Promise.all([
      registerFreezeWaiter(tx, id, () => freeze(tx, row)),
      grounds(tx, row).then((found) => footingOf(tx, found, stand, proofs)),
    ]);
    if (frozen) return { row, stop: frozen };
    if (footing === 'Sound') return { row, stop: undefined };
    if (footing === 'PolicyChanged') return { row, stop: footing };
    if (footing === 'Refused') return { row, stop: { to: 'Rejected', reason: row.reason ?? STOPPED, isAltered: false } };
    return { row, stop: { to: 'Failed', reason: footing.altered, isAltered: true } };
  });
}
