import { invariant } from '../../domain/errors';
import { allows } from '../../domain/permissions';
import type { Tx } from '../../entities/database';
import type { FleetGroupEntity } from '../../entities/fleets/fleet-group.entity';
import { keyStoresStore } from '../../entities/key-stores/key-stores.store';
import { permissionAssignmentStore } from '../../entities/permissions/permission-assignment.store';
import { type Mailing, mailable, queueMail } from '../mails/mails';

const CANCELING = ['KeyStores:Instructions:Cancel', 'cancelFleetOperation'] as const;
const REVIEWING = ['KeyStores:Instructions:Review', 'approveFleetOperation'] as const;

/**
 * Queues one mail for each person who may cancel the group, or may review it if it is in review. Mails contain no fingerprints,
 * because reviewers compare them with paper.
 */
export async function mailDueGroup(tx: Tx, mailing: Mailing, row: FleetGroupEntity): Promise<void> {
  const { id: groupId, storeId, kind, status, createdBy, submittedBy, endsAt } = row;
  const store = (await keyStoresStore.list(tx)).find((one) => one.storeId === storeId);
  invariant(store, `the store of the group ${groupId} is never deleted`);
  const granted = await permissionAssignmentStore.granted(tx, tx.orgId, null);
  const thoseWhoMay = ([name, operation]: readonly [string, string]): readonly string[] =>
    granted.filter(({ operations }) => allows(new Set(operations), name, operation)).map(({ userId }) => userId);

  const isInReview = status === 'InReview';
  const reviewers = isInReview ? thoseWhoMay(REVIEWING).filter((id) => id !== createdBy && id !== submittedBy) : [];
  const data = {
    ...{ groupId, storeId, storeName: store.name, kind },
    ...({ waitsFor: isInReview ? 'Review' : 'Output', dateExpires: endsAt.toISOString() } as const),
  };
  for (const { id: userId, username: to, isRegistered, kind: userKind } of await mailable(tx, [
    ...reviewers,
    ...thoseWhoMay(CANCELING),
  ])) {
    if (!isRegistered || userKind === 'EndUser') continue;
    const template = reviewers.includes(userId) ? 'FleetReviewDue' : 'FleetGroupDue';
    await queueMail(tx, mailing, { template, data, userId, to });
  }
}
