import { ACTION_AGE_MS_MAX } from '../../domain/anchors';
import { AppError, invariant } from '../../domain/errors';
import type { FreezeTarget } from '../../domain/freezes';
import { isId } from '../../domain/ids';
import type { Reader, Tx } from '../../entities/database';
import type { FreezeEntity } from '../../entities/freezes/freeze.entity';
import { freezeRecordStore } from '../../entities/freezes/freeze-record.store';
import { keyStore } from '../../entities/keys/key.store';
import { outboxStore } from '../../entities/outbox/outbox.store';
import { userActionStore } from '../../entities/user-actions/user-action.store';
import { walletStore } from '../../entities/wallets/wallet.store';
import { newId } from '../../platform/ids';
import { FREEZE_CHANGED } from '../../workflows/freeze.messages';
import { type WithPendingChange, withPendingChanges } from '../change-requests/pending-changes';
import { type Apply, assertNothingPending, type Changed, makeChange } from '../change-requests/proposals';
import { servedNetwork } from '../networks/enabled-networks';
import { badField } from '../request-faults';
import type { Services } from '../services';
import { type Authority, act } from '../user-actions/act';
import { emitFreeze, putFreeze } from './put-freeze';
import { type FreezeView, freezeView } from './view';

type Parts = Pick<Services, 'db' | 'dispatcher'>;
type WithPending = WithPendingChange<FreezeView, 'Freeze'>;
type FreezePage = Parameters<typeof freezeRecordStore.page>[1];

export type FreezeRequest = {
  readonly target: { readonly kind: FreezeTarget; readonly id?: string | undefined };
  readonly reason: string;
};

const notFound = (freezeId: string) => new AppError('NotFound', 'freeze not found', { freezeId });

/**
 * Freezes a target at once. From the commit on, no request, signature or broadcast that involves the target is accepted. The
 * signer is notified afterwards. If the target is already frozen, returns its active freeze. Throws `InvalidRequest` for a
 * missing or unknown id of the target, and `NetworkNotEnabled` for a network that this service does not support. Throws
 * `Conflict` if an earlier freeze of the target was released at the same moment.
 */
export async function createFreeze({ db, dispatcher }: Parts, authority: Authority, request: FreezeRequest): Promise<FreezeView> {
  const { orgId, userId } = authority.caller;
  const { kind } = request.target;
  const { row, start } = await act(db, authority, async (tx, userActionId) => {
    const targetId = await targetOf(tx, request.target);
    const asked = { id: newId('freeze'), targetKind: kind, targetId, reason: request.reason, createdBy: userId, userActionId };
    const frozen = await putFreeze(tx, asked);
    if (frozen) return frozen;
    const standing = await freezeRecordStore.standing(tx, kind, targetId);
    // An earlier freeze was released between the two statements. The caller can freeze the target by repeating the request.
    if (!standing) throw new AppError('Conflict', 'a freeze of this target was released at the same moment');
    return { row: standing, start: undefined };
  });
  if (start) void dispatcher.tryNow(orgId, start);
  return freezeView(row);
}

async function targetOf(tx: Tx, { kind, id }: FreezeRequest['target']): Promise<string> {
  const field = 'target.id';
  if (kind === 'Organization') {
    if (id !== undefined && id !== tx.orgId) throw badField(field, 'must be the id of the organisation');
    return tx.orgId;
  }
  if (id === undefined) throw badField(field, 'is required');
  if (kind === 'Network') return servedNetwork(id, `body.${field}`);
  if (kind === 'Wallet' && !(isId('wallet', id) && (await walletStore.access(tx, id)))) {
    throw badField(field, 'must name a wallet that the organisation has');
  }
  if (kind === 'Key' && !(isId('key', id) && (await keyStore.find(tx, id)))) {
    throw badField(field, 'must name a key that the organisation has');
  }
  return id;
}

/** Throws `NotFound`. */
export async function getFreeze(reader: Reader, freezeId: string): Promise<WithPending> {
  const row = isId('freeze', freezeId) ? await freezeRecordStore.find(reader, freezeId) : undefined;
  const [found] = await withPending(reader, row ? [row] : []);
  if (!found) throw notFound(freezeId);
  return found;
}

/** Lists the newest freeze first. The list has one more freeze if there is a next page. */
export async function listFreezes(reader: Reader, page: FreezePage): Promise<WithPending[]> {
  return withPending(reader, await freezeRecordStore.page(reader, page));
}

const withPending = (reader: Reader, rows: readonly FreezeEntity[]) => withPendingChanges(reader, 'Freeze', rows, freezeView);

/**
 * True if a signer with a charter will never carry out the release. The request for the release is then too old, or lacks the
 * anchor from which the signer learns the age of a request. The release can then be requested again.
 */
async function isLapsed(tx: Tx, { dateSignerReleased, releaseActionId }: FreezeEntity, nextActionId: string): Promise<boolean> {
  if (dateSignerReleased !== null || releaseActionId === null) return false;
  const [actions, now] = await Promise.all([userActionStore.all(tx, [releaseActionId, nextActionId]), tx.clock()]);
  const [last, next] = [releaseActionId, nextActionId].map((wanted) => actions.find(({ id }) => id === wanted));
  if (!last || !next) return false;
  const isTooOld = now.getTime() - last.dateCreated.getTime() > ACTION_AGE_MS_MAX.release;
  return isTooOld || (last.anchor === null && next.anchor !== null);
}

/**
 * Idempotent. A policy for changes can hold the release: a user who may freeze should not decide alone when a freeze ends.
 * Throws `NotFound`, `ChangePending`, `PolicyBlocked`.
 */
export function releaseFreeze(services: Parts, authority: Authority, freezeId: string): Promise<Changed<FreezeView>> {
  return makeChange<FreezeView>(services, authority, async (tx, userActionId) => {
    const row = isId('freeze', freezeId) ? await freezeRecordStore.lock(tx, freezeId) : undefined;
    if (!row) throw notFound(freezeId);
    if (row.dateReleased !== null && !(await isLapsed(tx, row, userActionId))) return { unchanged: freezeView(row) };
    await assertNothingPending(tx, freezeId);
    return {
      proposal: {
        kind: 'Freeze',
        operationKind: 'Delete',
        entityId: freezeId,
        subject: freezeId,
        baseVersion: 1,
        before: { target: { kind: row.targetKind, id: row.targetId }, reason: row.reason },
        // The approvers sign the id of the action that requests the release, because the signer receives this action.
        change: { status: 'Released', releaseActionId: userActionId },
        body: { ...freezeView(row), status: 'Released' },
      },
      apply: applyToFreeze,
      read: async (reader) => {
        const released = await freezeRecordStore.find(reader, freezeId);
        invariant(released, `the freeze ${freezeId} is never deleted`);
        return freezeView(released);
      },
    };
  });
}

/**
 * Releases the freeze. Wakes the records that wait for the release, and the freeze's workflow, which notifies the signer. If the
 * freeze is already released, only replaces the request that the signer receives.
 */
export const applyToFreeze: Apply = async (tx, { id: changeRequestId, entityId, change }) => {
  const row = await freezeRecordStore.lock(tx, entityId);
  const releaseActionId = String(change['releaseActionId']);
  const isAgain = row !== undefined && row.dateReleased !== null && (await isLapsed(tx, row, releaseActionId));
  if (!row || (row.dateReleased !== null && !isAgain)) return 'The freeze was released after this release was requested';
  await freezeRecordStore.release(tx, row, {
    releasedBy: changeRequestId,
    releaseActionId,
    dateReleased: row.dateReleased ?? (await tx.clock()),
  });
  if (!isAgain) await emitFreeze(tx, 'freeze.released', row.id);
  for (const waiting of [row.id, ...(await freezeRecordStore.takeWaiting(tx, row.id))]) {
    await outboxStore.add(tx, {
      kind: 'signal',
      aggregateId: waiting,
      dedupeKey: newId('outbox'),
      routing: { signal: FREEZE_CHANGED },
    });
  }
  return undefined;
};
