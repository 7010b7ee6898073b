import { AppError, invariant } from '../../domain/errors';
import type { Reader } from '../../entities/database';
import type { FleetEntity } from '../../entities/fleets/fleet.entity';
import type { FleetGroupEntity } from '../../entities/fleets/fleet-group.entity';
import { canonical } from '../../platform/canonical';
import { FleetInput, type SignedInput } from '../../platform/fleets/inputs';
import { isStated } from '../../platform/fleets/statement';
import { groupOf } from './groups';
import { offlineStoreOf } from './offline-stores';
import { taskOf } from './proof-task';

/**
 * What the group asks of a device. Everything comes from rows that do not change while the group is open, so a repeated call
 * returns the same input. `task` is the task of a group that signs requests, which are collected only for the archive.
 */
export const fleetInputOf = (
  fleet: FleetEntity,
  group: FleetGroupEntity,
  signerId: string,
  task: unknown = taskOf(group),
): FleetInput =>
  FleetInput.parse({
    ...{ type: 'strongroom-fleet-input', v: 1, signerId },
    ...{ orgId: group.orgId, storeId: group.storeId, fleetId: fleet.id, fleetLabel: fleet.label, groupId: group.id },
    ...{ manifest: group.manifestBefore, abandons: group.abandons },
    ...{ dateIssued: group.dateCreated.toISOString(), notAfter: group.endsAt.toISOString(), task },
  });

/** The text that callers download. The signature must be the signer's over exactly this input. */
export function archiveOf(input: FleetInput, signed: SignedInput['signed']): string {
  invariant(isStated('input', input as never, signed), 'the signer has signed the input');
  return canonical({ input, signed } as never);
}

/** Throws `NotFound` for a group of another store or organisation, and `NotReady` while the archive is being made. */
export async function archiveOfGroup(reader: Reader, storeId: string, groupId: string): Promise<string> {
  await offlineStoreOf(reader, storeId);
  const { input, status } = await groupOf(reader, storeId, groupId);
  if (input !== null) return input;
  if (status === 'Initialized') throw new AppError('NotReady', 'The archive is still being made', { groupId });
  throw new AppError('WrongState', `the group is ${status} and has no archive`, { groupId, status });
}
