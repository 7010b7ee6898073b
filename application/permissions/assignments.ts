import { AppError } from '../../domain/errors';
import { isId } from '../../domain/ids';
import { allows } from '../../domain/permissions';
import type { Reader, Tx } from '../../entities/database';
import type { PermissionEntity } from '../../entities/permissions/permission.entity';
import { permissionStore } from '../../entities/permissions/permission.store';
import type { PermissionAssignmentEntity } from '../../entities/permissions/permission-assignment.entity';
import { type Identity, permissionAssignmentStore } from '../../entities/permissions/permission-assignment.store';
import { takenBack } from '../../entities/savepoint';
import { newId } from '../../platform/ids';
import { withPendingChanges } from '../change-requests/pending-changes';
import { type Apply, assertNothingPending, type Changed, makeChange, type Proposed } from '../change-requests/proposals';
import { assertNoPolicyNames } from '../policies/named-approvers';
import type { Services } from '../services';
import type { Authority } from '../user-actions/act';
import { keepingFullAdmin } from '../users/full-admins';
import { assertWithinOwnRights } from './own-rights';
import { permissionNotFound } from './permissions';
import { type AssignmentView, assignmentBody, assignmentView } from './view';

type Parts = Pick<Services, 'db' | 'dispatcher'>;
type Page = { readonly after: string | undefined; readonly limit: number };

const VOTE = 'Policies:Evaluations:Vote';

/**
 * Adding and removing an assignment have the same subject, so at most one change is pending for a permission and an identity.
 */
const subjectOf = (permissionId: string, { userId, tokenId }: Identity) => `${permissionId}/${tokenId ?? userId}`;

/**
 * The identity is a user, a service account or a token. A token with an assigned permission has only its assigned permissions.
 * Throws `BeyondOwnRights`, `ChangePending` and `PolicyBlocked`. Throws `NotFound` for a permission or identity that does not
 * exist, `WrongState` for an archived permission, and `Conflict` if the identity already has the permission.
 */
export function createAssignment(
  services: Parts,
  authority: Authority,
  permissionId: string,
  { identityId }: { readonly identityId: string },
): Promise<Changed<AssignmentView>> {
  return makeChange(services, authority, (tx) => planAssignment(tx, permissionId, identityId));
}

/** Locks the permission. */
export async function planAssignment(tx: Tx, permissionId: string, identityId: string): Promise<Proposed<AssignmentView>> {
  const permission = await lockPermission(tx, permissionId);
  if (permission.status !== 'Active') throw new AppError('WrongState', 'permission is archived', { permissionId });
  const identity = await identityOf(tx, identityId);
  if (!identity) throw new AppError('NotFound', 'identity not found', { identityId });
  const subject = subjectOf(permissionId, identity);
  await assertNothingPending(tx, subject);
  if (await permissionAssignmentStore.of(tx, permissionId, identity))
    throw new AppError('Conflict', 'the identity already has this permission', { permissionId, identityId });
  const id = newId('assignment');
  const row = { id, permissionId, ...identity, isImmutable: false };
  return {
    proposal: {
      kind: 'Assignment',
      operationKind: 'Create',
      entityId: id,
      subject,
      baseVersion: permission.version,
      before: null,
      change: { ...row, ...granted(permission) },
      body: assignmentBody(row),
    },
    apply: applyToAssignment,
    read: (inside) => shown(inside, permissionId, id),
  };
}

/** Newest first. If there is a next page, returns one row more than `limit`. Throws `NotFound`. */
export async function listAssignments(reader: Reader, permissionId: string, page: Page) {
  const permission = isId('permission', permissionId) ? await permissionStore.find(reader, permissionId) : undefined;
  if (!permission) throw permissionNotFound(permissionId);
  const rows = await permissionAssignmentStore.page(reader, { permissionId, ...page });
  return withPendingChanges(reader, 'Assignment', rows, assignmentView);
}

/**
 * Throws `NotFound`, `ChangePending` and `PolicyBlocked`. Throws `WrongState` for an immutable assignment, and
 * `LastAdministrator` if no user with full access would remain. Without `force`, throws `NamedApprover` if an active policy
 * names an approver who could then no longer vote.
 */
export function deleteAssignment(
  services: Parts,
  authority: Authority,
  {
    permissionId,
    assignmentId,
    force,
  }: { readonly permissionId: string; readonly assignmentId: string; readonly force: boolean },
): Promise<Changed<undefined>> {
  return makeChange(services, authority, async (tx) => {
    const permission = await lockPermission(tx, permissionId);
    const row = isId('assignment', assignmentId)
      ? await permissionAssignmentStore.find(tx, permissionId, assignmentId)
      : undefined;
    if (!row) throw new AppError('NotFound', 'assignment not found', { permissionId, assignmentId });
    if (row.isImmutable) throw new AppError('WrongState', 'assignment is immutable', { permissionId, assignmentId });
    const subject = subjectOf(permissionId, row);
    await assertNothingPending(tx, subject);
    await assertRemovable(tx, row, force);
    const { id, userId, tokenId, isImmutable } = row;
    const stored = { id, permissionId, userId, tokenId, isImmutable, ...granted(permission) };
    return {
      proposal: {
        kind: 'Assignment',
        operationKind: 'Delete',
        entityId: id,
        subject,
        baseVersion: permission.version,
        before: stored,
        change: stored,
        body: assignmentBody(row),
      },
      apply: applyToAssignment,
      read: async () => undefined,
    };
  });
}

/** Tries the removal and rolls the removal back, so that an impossible removal does not wait for approval. */
async function assertRemovable(tx: Tx, { id, userId }: PermissionAssignmentEntity, force: boolean): Promise<void> {
  const couldVote = await mayVote(tx, userId);
  await takenBack(tx, async () => {
    await keepingFullAdmin(tx, () => permissionAssignmentStore.remove(tx, id));
    if (!force && couldVote && !(await mayVote(tx, userId))) await assertNoPolicyNames(tx, userId);
  });
}

const mayVote = async (reader: Reader, userId: string): Promise<boolean> =>
  allows(new Set(await permissionAssignmentStore.operationsOf(reader, userId)), VOTE, 'createApprovalDecision');

/** The permission at the time of the request, so that the approvers see which rights the assignment gives. */
const granted = ({ name, operations }: PermissionEntity) => ({ permissionName: name, operations });

type Stored = Pick<PermissionAssignmentEntity, 'id' | 'permissionId' | 'userId' | 'tokenId'>;

/** A new assignment requires that the permission still has the version that the approvers saw. */
export const applyToAssignment: Apply = async (tx, { operationKind, baseVersion, change, ...requester }) => {
  const { id, permissionId, userId, tokenId } = change as Stored;
  const permission = await permissionStore.lock(tx, permissionId);
  if (operationKind === 'Delete') {
    const removed = await keepingFullAdmin(tx, () => permissionAssignmentStore.remove(tx, id));
    return removed ? undefined : 'The assignment no longer exists';
  }
  if (permission?.status !== 'Active' || permission.version !== baseVersion)
    return 'The permission has changed since this was requested';
  await assertWithinOwnRights(tx, requester, permission.operations);
  if (!(await identityOf(tx, tokenId ?? userId))) return 'The identity no longer exists';
  if (!(await permissionAssignmentStore.add(tx, { id, permissionId, userId, tokenId })))
    return 'The identity already has the permission';
  if (tokenId !== null) await permissionAssignmentStore.restrict(tx, tokenId);
  return undefined;
};

async function lockPermission(tx: Tx, permissionId: string): Promise<PermissionEntity> {
  const row = isId('permission', permissionId) ? await permissionStore.lock(tx, permissionId) : undefined;
  if (!row) throw permissionNotFound(permissionId);
  return row;
}

async function identityOf(reader: Reader, identityId: string): Promise<Identity | undefined> {
  const isPossible = isId('user', identityId) || isId('token', identityId);
  return isPossible ? permissionAssignmentStore.identity(reader, identityId) : undefined;
}

async function shown(reader: Reader, permissionId: string, id: string): Promise<AssignmentView> {
  const row = await permissionAssignmentStore.find(reader, permissionId, id);
  if (!row) throw new AppError('NotFound', 'assignment not found', { permissionId, assignmentId: id });
  return assignmentView(row);
}
