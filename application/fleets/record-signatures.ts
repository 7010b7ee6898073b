import type { FleetState } from '../../domain/fleets';
import type { Tx } from '../../entities/database';
import type { FleetGroupEntity } from '../../entities/fleets/fleet-group.entity';
import { fleetGroupStore } from '../../entities/fleets/fleet-group.store';
import { FleetOperationEntity } from '../../entities/fleets/fleet-operation.entity';
import type { FleetOutputEntity } from '../../entities/fleets/fleet-output.entity';
import { fleetOutputStore } from '../../entities/fleets/fleet-output.store';
import { offlineRequestStore } from '../../entities/fleets/offline-request.store';
import type { SignResult } from '../../platform/fleets/assert-sign-output';
import { wakeRequest } from './wake-request';

type Checked = Pick<FleetOutputEntity, 'userActionId' | 'submittedBy' | 'groupId'>;
type Move = (
  tx: Tx,
  row: FleetGroupEntity,
  status: FleetState,
  changes: Omit<Parameters<typeof fleetGroupStore.change>[2], 'status'>,
) => Promise<void>;
type Signed = { readonly result: SignResult; readonly outputDigest: string };

/**
 * Stores the verified signatures of the device, ends the group, and wakes the signed requests. A request without a signature
 * waits for the next group; a proof of control is complete with the output. If the group was canceled meanwhile, the output is
 * refused and no signature is stored. Has no effect on an output that has been checked already. `move` changes the status of the
 * group.
 */
export async function recordSignatures(
  tx: Tx,
  { userActionId, submittedBy, groupId }: Checked,
  { result: { status, operations, unanswered }, outputDigest }: Signed,
  move: Move,
): Promise<void> {
  // The database lets no role lock a group that has ended.
  const row = await fleetGroupStore.lock(tx, groupId);
  if ((await fleetOutputStore.find(tx, userActionId))?.status !== 'Checking') return;
  if (row?.status !== 'Initialized') {
    const { status: ended } = (await fleetGroupStore.find(tx, groupId)) ?? {};
    const refusal = { manifestDigest: null, failedCheck: 'Group', reason: `The group is ${ended}.` };
    return fleetOutputStore.refuse(tx, userActionId, refusal);
  }
  await fleetOutputStore.accept(tx, userActionId, null);
  const now = await tx.clock();
  const submitted = { outputDigest, submittedBy, submittedActionId: userActionId, dateSubmitted: now };
  if (status === 'fail') await move(tx, row, 'Canceled', { ...submitted, reason: NOTHING_SIGNED, dateCanceled: now });
  else await move(tx, row, 'Approved', { ...submitted, dateRecorded: now });
  for (const operation of operations) {
    if ('failure' in operation) {
      await leave(tx, operation.operationId, `${operation.failure.code}: ${operation.failure.message}`);
      continue;
    }
    const { request, signatures } = operation;
    // A proof of control stays in the output, and nothing waits for it.
    if (!('requestId' in request)) continue;
    const isFirst = await offlineRequestStore.signed(tx, request.requestId, groupId, signatures);
    if (isFirst) await wakeRequest(tx, request.requestId);
  }
  for (const operationId of unanswered) await leave(tx, operationId, 'The output does not contain the operation.');
}

const NOTHING_SIGNED = 'The device has signed none of the requests';

async function leave(tx: Tx, operationId: string, failure: string): Promise<void> {
  await fleetGroupStore.fail(tx, operationId, failure);
  await tx.set(FleetOperationEntity, { id: operationId }, { status: 'Rejected' });
}
