import { invariant } from '../../domain/errors';
import { FLEET_REMINDER_BEFORE_MS, type FleetStanding, type FleetStep } from '../../domain/fleet-groups';
import type { Tx } from '../../entities/database';
import type { FleetGroupEntity } from '../../entities/fleets/fleet-group.entity';
import { fleetGroupStore } from '../../entities/fleets/fleet-group.store';
import { fleetOutputStore } from '../../entities/fleets/fleet-output.store';
import type { Mailing } from '../mails/mails';
import { emitGroup, moveGroup } from './groups';
import { mailDueGroup } from './mail-due-group';

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

/** A group that enters its review after the reminder is reported once more, because now others must act. */
const isReminded = ({ status, dateReminded, dateSubmitted }: FleetGroupEntity): boolean =>
  dateReminded !== null && (status !== 'InReview' || dateSubmitted === null || dateReminded >= dateSubmitted);

async function standingOf(tx: Tx, row: FleetGroupEntity): Promise<FleetStanding> {
  const { status, kind, storeId, endsAt } = row;
  if (status !== 'Initialized' && status !== 'InReview') return { next: 'Ended', status };
  const endsInMs = endsAt.getTime() - (await tx.clock()).getTime();
  const reminder = isReminded(row) ? {} : { reminderInMs: Math.max(0, endsInMs - FLEET_REMINDER_BEFORE_MS) };
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

/** Reports once for each wait for people that the group is about to end, and mails the people who can act. */
export async function remindOfGroup(tx: Tx, mailing: Mailing, groupId: string): Promise<FleetStanding> {
  const row = await lockGroup(tx, groupId);
  const standing = await standingOf(tx, row);
  const isWaiting = standing.next === 'Output' || standing.next === 'Review';
  if (!isWaiting || standing.endsInMs <= 0 || isReminded(row)) return standing;
  await fleetGroupStore.change(tx, row, { dateReminded: await tx.clock() });
  await emitGroup(tx, groupId, 'fleet.group.due');
  await mailDueGroup(tx, mailing, row);
  const { reminderInMs: _sent, ...rest } = standing;
  return rest;
}
