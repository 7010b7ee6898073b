import { invariant } from '../../domain/errors';
import { FLEET_REMINDER_BEFORE_MS, type FleetStanding, type FleetStep } from '../../domain/fleet-groups';
import type { Tx } from '../../entities/database';
import type { FleetGroupEntity } from '../../entities/fleets/fleet-group.entity';
import { fleetGroupStore } from '../../entities/fleets/fleet-group.store';
import { fleetOutputStore } from '../../entities/fleets/fleet-output.store';
import { emitGroup, moveGroup } from './groups';

async function stepOf(tx: Tx, { id, status, input, reviewedBy }: FleetGroupEntity): Promise<FleetStep> {
  if (status === 'InReview') return reviewedBy === null ? 'Review' : 'Record';
  if (input === null) return 'Seal';
  return (await fleetOutputStore.inState(tx, id, 'Checking')) ? 'Check' : 'Output';
}

async function lockGroup(tx: Tx, groupId: string): Promise<FleetGroupEntity> {
  const row = await fleetGroupStore.lock(tx, groupId);
  invariant(row, `the group ${groupId} exists before its workflow starts`);
  return row;
}

async function standingOf(tx: Tx, row: FleetGroupEntity): Promise<FleetStanding> {
  const { status, kind, storeId, endsAt, dateReminded } = row;
  if (status !== 'Initialized' && status !== 'InReview') return { next: 'Ended', status };
  const endsInMs = endsAt.getTime() - (await tx.clock()).getTime();
  const reminder = dateReminded === null ? { reminderInMs: Math.max(0, endsInMs - FLEET_REMINDER_BEFORE_MS) } : {};
  return { next: await stepOf(tx, row), kind, storeId, endsInMs, ...reminder };
}

export const readStanding = async (tx: Tx, groupId: string): Promise<FleetStanding> =>
  standingOf(tx, await lockGroup(tx, groupId));

/**
 * Cancels the group if its time is over and the next step is a step of people. An output that is being verified or an approval
 * that is being recorded arrived in time.
 */
export async function lapseGroup(tx: Tx, groupId: string): Promise<FleetStanding> {
  const row = await lockGroup(tx, groupId);
  const standing = await standingOf(tx, row);
  if (standing.next === 'Ended' || standing.endsInMs > 0 || standing.next === 'Check' || standing.next === 'Record')
    return standing;
  await moveGroup(tx, row, 'Canceled', { reason: 'Its time was over', dateCanceled: await tx.clock() });
  return { next: 'Ended', status: 'Canceled' };
}

/** Reports once that the group is about to end. */
export async function remindOfGroup(tx: Tx, groupId: string): Promise<FleetStanding> {
  const row = await lockGroup(tx, groupId);
  const standing = await standingOf(tx, row);
  if (standing.next === 'Ended' || row.dateReminded !== null) return standing;
  await fleetGroupStore.change(tx, row, { dateReminded: await tx.clock() });
  await emitGroup(tx, groupId, 'fleet.group.due');
  const { reminderInMs: _sent, ...rest } = standing;
  return rest;
}
