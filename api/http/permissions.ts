import type { Caller } from '../../domain/callers';
import { AppError } from '../../domain/errors';
import { allows } from '../../domain/permissions';
import type { Operation, TokenOperation } from './operation';

/** Throws `Forbidden` if the operation refuses this kind of caller or token, or if the caller lacks the permission. */
export function assertMayCall({ callers, permission, id, refusesPersonalTokens }: TokenOperation, caller: Caller): void {
  const refused = !callers.includes(caller.kind) || (refusesPersonalTokens === true && caller.isPersonalToken);
  if (refused) throw forbidden(caller, permission ?? id);
  if (permission !== null) assertAllowed(caller, permission, id);
}

export function assertAllowed(caller: Caller, permission: string, operationId: string): void {
  if (!allows(caller.permissions, permission, operationId)) throw forbidden(caller, permission);
}

/** Every permission name that an operation requires, sorted. */
export function catalogueOf(operations: readonly Operation[]): readonly string[] {
  const names = operations.flatMap(({ permission, furtherPermissionNames }) => [
    ...(permission === null ? [] : [permission]),
    ...(furtherPermissionNames ?? []),
  ]);
  return [...new Set(names)].sort();
}

const forbidden = ({ kind, userId }: Caller, name: string) =>
  new AppError('Forbidden', `${kind} ${userId} is not authorized to perform operation (${name})`);
