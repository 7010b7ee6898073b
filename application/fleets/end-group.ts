import { AppError } from '../../domain/errors';
import type { Tx } from '../../entities/database';
import type { FleetGroupEntity } from '../../entities/fleets/fleet-group.entity';
import type { Services } from '../services';
import { type Authority, act } from '../user-actions/act';
import { type FleetGroupView, groupViewOf, lockGroupOf, moveGroup, wakeGroup } from './groups';
import { offlineStoreOf } from './offline-stores';

type Parts = Pick<Services, 'db' | 'dispatcher'>;
type Ending = { readonly storeId: string; readonly groupId: string; readonly reason: string };

/** Throws `WrongState` while an approval is on its way to the signer, which may have recorded it already. */
export function assertNotApproved({ id, status, reviewedBy }: FleetGroupEntity): void {
  if (status !== 'InReview' || reviewedBy === null) return;
  throw new AppError('WrongState', 'the group is being approved', { groupId: id, reviewedBy });
}

async function end(
  { db, dispatcher }: Parts,
  authority: Authority,
  { storeId, groupId }: Ending,
  move: (tx: Tx, row: FleetGroupEntity, userActionId: string) => Promise<void>,
): Promise<FleetGroupView> {
  const { view, signal } = await act(db, authority, async (tx, userActionId) => {
    await offlineStoreOf(tx, storeId);
    const row = await lockGroupOf(tx, storeId, groupId);
    assertNotApproved(row);
    await move(tx, row, userActionId);
    return { view: await groupViewOf(tx, groupId), signal: await wakeGroup(tx, groupId) };
  });
  void dispatcher.tryNow(authority.caller.orgId, signal);
  return view;
}

/**
 * Cancels an open group. Throws `NotFound`, and `WrongState` for a group that has ended or that is being approved.
 */
export const cancelGroup = (parts: Parts, authority: Authority, ending: Ending): Promise<FleetGroupView> =>
  end(parts, authority, ending, async (tx, row, endedActionId) =>
    moveGroup(tx, row, 'Canceled', {
      ...{ canceledBy: authority.caller.userId, endedActionId, reason: ending.reason },
      dateCanceled: await tx.clock(),
    }),
  );

/**
 * Rejects a group in review. A person who made or submitted the group can cancel it instead. Throws `NotFound`, `WrongState` for a group
 * that is not in review, and `Forbidden` for its creator and submitter.
 */
export const rejectGroup = (parts: Parts, authority: Authority, ending: Ending): Promise<FleetGroupView> =>
  end(parts, authority, ending, async (tx, row, endedActionId) => {
    assertReviewer(authority, row);
    await moveGroup(tx, row, 'Rejected', {
      ...{ reviewedBy: authority.caller.userId, reviewedActionId: endedActionId, endedActionId, reason: ending.reason },
      dateReviewed: await tx.clock(),
    });
  });

/** Throws `WrongState` for a group that is not in review, and `Forbidden` for its creator and submitter. */
export function assertReviewer({ caller: { userId } }: Authority, row: FleetGroupEntity): void {
  const { id: groupId, status, createdBy, submittedBy } = row;
  if (status !== 'InReview') throw new AppError('WrongState', `the group is ${status}`, { groupId, status });
  if (userId === createdBy || userId === submittedBy)
    throw new AppError('Forbidden', 'a person who created or submitted the group cannot review it', { groupId });
}
