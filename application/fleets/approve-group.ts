import { AppError, invariant } from '../../domain/errors';
import type { Tx } from '../../entities/database';
import { fleetGroupStore } from '../../entities/fleets/fleet-group.store';
import { fleetOutputStore } from '../../entities/fleets/fleet-output.store';
import type { Dispatch } from '../../entities/outbox/outbox.store';
import type { Services } from '../services';
import { type Authority, act } from '../user-actions/act';
import { assertNotApproved, assertReviewer } from './end-group';
import { type FleetGroupView, groupViewOf, lockGroupOf, reviewersMissing, wakeGroup } from './groups';
import { offlineStoreOf } from './offline-stores';

const RECORDED_LIMIT_MS = 20_000;

type Approval = {
  readonly storeId: string;
  readonly groupId: string;
  /** The digest of the manifest that the reviewer has seen. */
  readonly manifest: string;
};

type Reviewed = { readonly reviewedActionId: string; readonly signal: Dispatch | undefined };

/** Without a signal, the group waits for further reviewers. */
async function review(
  tx: Tx,
  authority: Authority,
  { storeId, groupId, manifest }: Approval,
  userActionId: string,
): Promise<Reviewed> {
  const { userId } = authority.caller;
  const store = await offlineStoreOf(tx, storeId);
  const row = await lockGroupOf(tx, storeId, groupId);
  assertReviewer(authority, row);
  assertNotApproved(row);
  const output = await fleetOutputStore.inState(tx, groupId, 'Accepted');
  if (output?.manifestDigest !== manifest)
    throw new AppError('WrongState', 'the output of the group has another manifest', { groupId });
  const { earlierReviews } = row;
  if (earlierReviews.some(({ reviewedBy }) => reviewedBy === userId))
    throw new AppError('WrongState', 'you have approved the group already; another person must approve it', { groupId });
  const [reviewedActionId, date] = [userActionId, await tx.clock()];
  if (reviewersMissing(store, row) > 1) {
    const one = { reviewedBy: userId, reviewedActionId, dateReviewed: date.toISOString() };
    await fleetGroupStore.change(tx, row, { earlierReviews: [...earlierReviews, one] });
    return { reviewedActionId, signal: undefined };
  }
  await fleetGroupStore.change(tx, row, { reviewedBy: userId, reviewedActionId, dateReviewed: date, hindrance: null });
  return { reviewedActionId, signal: await wakeGroup(tx, groupId) };
}

/**
 * Records the review. The last review that the key store demands waits until the signer has recorded the approval; the group
 * stays in review until then, with `reviewedBy`. Throws `NotFound`, `Forbidden` for the creator and the submitter, and
 * `WrongState` for a group that is not in review, that this person has approved already, that another person is approving, whose
 * output has another manifest, or whose approval the signer refuses.
 */
export async function approveGroup(
  { db, dispatcher, changes }: Services,
  authority: Authority,
  approval: Approval,
): Promise<FleetGroupView> {
  const { orgId } = authority.caller;
  const { groupId } = approval;
  const { signal, reviewedActionId } = await act(db, authority, (tx, userActionId) =>
    review(tx, authority, approval, userActionId),
  );
  if (signal === undefined) return groupViewOf(db.read(orgId), groupId);
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
