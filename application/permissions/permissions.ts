import { AppError } from '../../domain/errors';
import { isId } from '../../domain/ids';
import { isImmutable, RESERVED_NAMES, storedOperations } from '../../domain/permissions';
import type { Reader, Tx } from '../../entities/database';
import type { PermissionEntity } from '../../entities/permissions/permission.entity';
import { type PermissionContent, permissionStore } from '../../entities/permissions/permission.store';
import { newId } from '../../platform/ids';
import { withPendingChanges } from '../change-requests/pending-changes';
import { type Apply, assertNothingPending, type Changed, makeChange, type Plan } from '../change-requests/proposals';
import type { Services } from '../services';
import { type Authority, act } from '../user-actions/act';
import { assertWithinOwnRights, requesterOf } from './own-rights';
import { type PermissionView, permissionBody, permissionView } from './view';

type Named = { readonly name: string; readonly operations: readonly string[] };
type Page = { readonly after: string | undefined; readonly limit: number };

export const permissionNotFound = (permissionId: string) => new AppError('NotFound', 'permission not found', { permissionId });
const nameTaken = (name: string) => new AppError('Conflict', 'a permission of this name already exists', { name });

function assertFree(name: string): void {
  if (RESERVED_NAMES.includes(name)) throw new AppError('Conflict', 'this name is reserved for a managed permission', { name });
}

/** Throws `BeyondOwnRights`, and `Conflict` if another permission has the name, even an archived permission. */
export function createPermission(
  { db }: Pick<Services, 'db'>,
  authority: Authority,
  { name, operations }: Named,
): Promise<PermissionView> {
  return act(db, authority, async (tx) => {
    assertFree(name);
    const id = newId('permission');
    const stored = storedOperations(operations);
    await assertWithinOwnRights(tx, requesterOf(authority), stored);
    const fresh = await permissionStore.add(tx, { id, name, operations: stored, isManaged: false });
    if (!fresh) throw nameTaken(name);
    return shown(tx, id);
  });
}

/** Newest first. If there is a next page, returns one row more than `limit`. */
export async function listPermissions(reader: Reader, page: Page) {
  return withPending(reader, await permissionStore.page(reader, page));
}

/** Throws `NotFound`. */
export async function getPermission(reader: Reader, permissionId: string) {
  const [found] = await withPending(reader, [await present(reader, permissionId)]);
  if (!found) throw permissionNotFound(permissionId);
  return found;
}

const withPending = (reader: Reader, rows: readonly PermissionEntity[]) =>
  withPendingChanges(reader, 'Permission', rows, permissionView);

/**
 * Throws `NotFound`, `BeyondOwnRights`, `ChangePending` and `PolicyBlocked`. Throws `Conflict` for a name that is taken. Throws
 * `WrongState` for a permission that is archived or immutable, and for a new name of a managed permission.
 */
export function updatePermission(
  services: Pick<Services, 'db' | 'dispatcher'>,
  authority: Authority,
  permissionId: string,
  { name, operations }: { readonly name?: string | undefined; readonly operations?: readonly string[] | undefined },
): Promise<Changed<PermissionView>> {
  return makeChange(services, authority, async (tx) => {
    const row = await changeable(tx, permissionId);
    if (row.status === 'Archived') throw new AppError('WrongState', 'permission is archived', { permissionId });
    if (row.isManaged && name !== undefined && name !== row.name)
      throw new AppError('WrongState', 'the name of a managed permission cannot be changed', { permissionId });
    if (name !== undefined && name !== row.name) assertFree(name);
    if (name !== undefined && (await isTaken(tx, row.id, name))) throw nameTaken(name);
    const stored = operations === undefined ? row.operations : storedOperations(operations);
    return planOf(row, { name: name ?? row.name, operations: stored, status: row.status });
  });
}

/**
 * Throws `NotFound`, `ChangePending` and `PolicyBlocked`. Throws `WrongState` for a managed permission. A restoration can also
 * throw `BeyondOwnRights`.
 */
export function archivePermission(
  services: Pick<Services, 'db' | 'dispatcher'>,
  authority: Authority,
  permissionId: string,
  { isArchived }: { readonly isArchived: boolean },
): Promise<Changed<PermissionView>> {
  return makeChange(services, authority, async (tx) => {
    const row = await changeable(tx, permissionId);
    if (row.isManaged) throw new AppError('WrongState', 'a managed permission cannot be archived', { permissionId });
    const { name, operations } = row;
    return planOf(row, { name, operations, status: isArchived ? 'Archived' : 'Active' });
  });
}

async function present(reader: Reader, permissionId: string): Promise<PermissionEntity> {
  const row = isId('permission', permissionId) ? await permissionStore.find(reader, permissionId) : undefined;
  if (!row) throw permissionNotFound(permissionId);
  return row;
}

/** Locks the permission. Throws if the permission may not be changed or already has a pending change. */
async function changeable(tx: Tx, permissionId: string): Promise<PermissionEntity> {
  const row = isId('permission', permissionId) ? await permissionStore.lock(tx, permissionId) : undefined;
  if (!row) throw permissionNotFound(permissionId);
  if (isImmutable(row)) throw new AppError('WrongState', 'permission is immutable', { permissionId });
  await assertNothingPending(tx, permissionId);
  return row;
}

function planOf(row: PermissionEntity, content: PermissionContent): Plan<PermissionView> {
  const { id, name, operations, status } = row;
  if (JSON.stringify(content) === JSON.stringify({ name, operations, status })) return { unchanged: permissionView(row) };
  return {
    proposal: {
      kind: 'Permission',
      operationKind: 'Update',
      entityId: id,
      subject: id,
      baseVersion: row.version,
      before: { name, operations, status },
      change: content,
      body: permissionBody({ ...row, ...content }),
    },
    apply: applyToPermission,
    read: (tx) => shown(tx, id),
  };
}

/** The permission must still have the version that the request was based on. */
export const applyToPermission: Apply = async (tx, { entityId, baseVersion, change, ...requester }) => {
  const row = await permissionStore.lock(tx, entityId);
  if (!row || row.version !== baseVersion) return 'The permission has changed since this was requested';
  const content = change as PermissionContent;
  if (await isTaken(tx, row.id, content.name)) return 'Another permission has this name now';
  // An archived permission grants nothing, so a requester may archive a permission without having its rights.
  if (content.status === 'Active') await assertWithinOwnRights(tx, requester, content.operations);
  await permissionStore.change(tx, row, content);
  return undefined;
};

async function isTaken(reader: Reader, permissionId: string, name: string): Promise<boolean> {
  const other = await permissionStore.named(reader, name);
  return other !== undefined && other.id !== permissionId;
}

const shown = async (reader: Reader, id: string): Promise<PermissionView> => permissionView(await present(reader, id));
