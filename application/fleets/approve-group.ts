import { AppError, invariant } from '../../domain/errors';
import { fleetGroupStore } from '../../entities/fleets/fleet-group.store';
import { fleetOutputStore } from '../../entities/fleets/fleet-output.store';
import type { Services } from '../services';
import { type Authority, act } from '../user-actions/act';
import { assertNotApproved, assertReviewer } from './end-group';
import { type FleetGroupView, groupViewOf, lockGroupOf, wakeGroup } from './groups';
import { offlineStoreOf } from './offline-stores';

const RECORDED_LIMIT_MS = 20_000;

type Approval = {
  readonly storeId: string;
  readonly groupId: string;
  /** The digest of the manifest that the reviewer has seen. */
  readonly manifest: string;
};

/**
 * Records the review, and waits until the signer has recorded the approval. The group stays in review until then, with
 * `reviewedBy`. Throws `NotFound`, `Forbidden` for the creator and the submitter, and `WrongState` for a group that is not in
 * review, that another person is approving, whose output has another manifest, or whose approval the signer refuses.
 */
export async function approveGroup(
  { db, dispatcher, changes }: Services,
  authority: Authority,
  { storeId, groupId, manifest }: Approval,
): Promise<FleetGroupView> {
  const { orgId, userId } = authority.caller;
  const { signal, reviewedActionId } = await act(db, authority, async (tx, userActionId) => {
    await offlineStoreOf(tx, storeId);
    const row = await lockGroupOf(tx, storeId, groupId);
    assertReviewer(authority, row);
    assertNotApproved(row);
    const output = await fleetOutputStore.inState(tx, groupId, 'Accepted');
    if (output?.manifestDigest !== manifest)
      throw new AppError('WrongState', 'the output of the group has another manifest', { groupId });
    const review = { reviewedBy: userId, reviewedActionId: userActionId, dateReviewed: await tx.clock(), hindrance: null };
    await fleetGroupStore.change(tx, row, review);
    return { signal: await wakeGroup(tx, groupId), reviewedActionId: userActionId };
  });
  void dispatcher.tryNow(orgId, signal);
  const isOpen = (row: Awaited<ReturnType<typeof fleetGroupStore.find>>) =>
    row?.status === 'InReview' && row.reviewedActionId === reviewedActionId;
  const row = await changes.waitFor(
    groupId,
    () => fleetGroupStore.find(db.read(orgId), groupId),
    (now) => !isOpen(now),
    RECORDED_LIMIT_MS,
  );
  invariant(row, 'a group is never deleted');
  if (row.status === 'Approved') return groupViewOf(db.read(orgId), groupId);
  if (isOpen(row))
    throw new AppError('NotReady', 'The approval is on its way to the signer. The group shows the outcome.', { groupId });
  throw new AppError('WrongState', row.hindrance ?? `the group is ${row.status}`, { groupId, status: row.status });
}
