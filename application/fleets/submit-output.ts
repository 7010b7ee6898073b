import { AppError, invariant } from '../../domain/errors';
import { FLEET_OUTPUT_BYTES_MAX, type FleetKind } from '../../domain/fleets';
import type { Reader, Tx } from '../../entities/database';
import type { FleetGroupEntity } from '../../entities/fleets/fleet-group.entity';
import { fleetGroupStore } from '../../entities/fleets/fleet-group.store';
import { fleetOutputStore } from '../../entities/fleets/fleet-output.store';
import { canonical } from '../../platform/canonical';
import type { FleetOutputJson, SignOutputJson } from '../../platform/fleets/outputs';
import { UNANNOUNCED_REREAD_MS } from '../../platform/wait-for-change';
import type { Services } from '../services';
import { type Authority, act } from '../user-actions/act';
import { wakeGroup } from './groups';
import { offlineStoreOf } from './offline-stores';

const CHECKED_LIMIT_MS = 20_000;

export type SubmittedOutput = {
  readonly fileChecksum: string;
  readonly outputJson: FleetOutputJson | SignOutputJson;
  readonly file: Buffer | undefined;
};

const outputInvalid = (check: string, message: string, groupId?: string): AppError =>
  new AppError('FleetOutputInvalid', message, { check, ...(groupId === undefined ? {} : { groupId }) });

/**
 * Stores the output, and waits until the worker has verified it. Then the group is in review. Throws `FleetOutputInvalid`, with
 * the failed check, for an output that the worker refuses; the group then accepts another output. Throws `NotFound` for a store
 * of another kind or organisation. Throws `WrongState` if no group of the store waits for an output of this kind, and `Conflict`
 * while another output of the group is being verified.
 */
export async function submitOutput(
  services: Services,
  authority: Authority,
  storeId: string,
  kind: FleetKind,
  { fileChecksum, outputJson, file }: SubmittedOutput,
): Promise<void> {
  const { orgId, userId } = authority.caller;
  const text = textOf(file);
  const { signal, userActionId } = await act(services.db, authority, async (tx, userActionId) => {
    await offlineStoreOf(tx, storeId);
    const group = await waitingGroup(tx, storeId, kind, outputJson);
    const output = { userActionId, groupId: group.id, submittedBy: userId, fileChecksum };
    if (!(await fleetOutputStore.add(tx, { ...output, outputJson: canonical(outputJson as never), file: text })))
      throw new AppError('Conflict', 'another output of the group is being verified', { groupId: group.id });
    return { signal: await wakeGroup(tx, group.id), userActionId };
  });
  void services.dispatcher.tryNow(orgId, signal);
  const output = await services.changes.waitFor(
    signal.aggregateId,
    () => fleetOutputStore.find(services.db.read(orgId), userActionId),
    (now) => now?.status !== 'Checking',
    CHECKED_LIMIT_MS,
    UNANNOUNCED_REREAD_MS,
  );
  invariant(output, 'an output is never deleted');
  if (output.status === 'Accepted') return;
  const { groupId, failedCheck, reason } = output;
  if (output.status === 'Refused') throw outputInvalid(failedCheck ?? '', reason ?? '', groupId);
  throw new AppError('NotReady', 'The output is still being verified. The group shows the outcome.', { groupId });
}

function textOf(file: Buffer | undefined): string {
  invariant(file, 'a form has a file');
  const bytesMax = FLEET_OUTPUT_BYTES_MAX;
  if (file.length > bytesMax) throw new AppError('BodyTooLarge', `The file is larger than ${bytesMax} bytes`, { bytesMax });
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(file);
  } catch {
    throw outputInvalid('Form', 'The file must be JSON in UTF-8.');
  }
}

/** The lock makes the group keep its status until the transaction ends. */
async function waitingGroup(
  tx: Tx,
  storeId: string,
  kind: FleetKind,
  outputJson: FleetOutputJson | SignOutputJson,
): Promise<FleetGroupEntity> {
  const open = await fleetGroupStore.openOf(tx, storeId);
  const groupId = (await namedGroup(tx, storeId, outputJson)) ?? open?.id;
  const group = groupId === undefined ? undefined : await fleetGroupStore.lock(tx, groupId);
  if (!group) throw new AppError('WrongState', 'no group of the key store waits for an output', { storeId });
  const { id, status } = group;
  if (status !== 'Initialized') throw new AppError('WrongState', `the group is ${status}`, { groupId: id, status });
  if (group.endsAt <= (await tx.clock())) throw new AppError('WrongState', 'the time of the group is over', { groupId: id });
  if (group.input === null) throw new AppError('WrongState', 'the archive of the group is not ready', { groupId: id });
  if (group.kind !== kind) throw outputInvalid('Kind', `The group waits for an output of ${group.kind}.`, id);
  return group;
}

/** The group of the store to which the operation of the output belongs, even if the group has ended. */
async function namedGroup(
  reader: Reader,
  storeId: string,
  { outputs }: FleetOutputJson | SignOutputJson,
): Promise<string | undefined> {
  const [operationId = ''] = Object.keys(outputs);
  const group = await fleetGroupStore.ofOperation(reader, operationId);
  return group?.storeId === storeId ? group.id : undefined;
}
