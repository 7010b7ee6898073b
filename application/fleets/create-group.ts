import { AppError, invariant } from '../../domain/errors';
import { lapsesAfterMs } from '../../domain/fleet-groups';
import type { CeremonyKind, FleetKind } from '../../domain/fleets';
import type { Tx } from '../../entities/database';
import { fleetStore } from '../../entities/fleets/fleet.store';
import { fleetGroupStore, type NewFleetGroup, type NewFleetOperation } from '../../entities/fleets/fleet-group.store';
import { fleetOutputStore } from '../../entities/fleets/fleet-output.store';
import { offlineRequestStore } from '../../entities/fleets/offline-request.store';
import { type Dispatch, outboxStore } from '../../entities/outbox/outbox.store';
import type { FleetTask } from '../../platform/fleets/inputs';
import { newId } from '../../platform/ids';
import { UNANNOUNCED_REREAD_MS } from '../../platform/wait-for-change';
import { FLEET_GROUP } from '../../workflows/fleet-group.messages';
import type { Services } from '../services';
import { type Authority, act } from '../user-actions/act';
import { type CeremonyRequest, ceremonyTask } from './ceremony-tasks';
import { emitGroup } from './groups';
import { headOf } from './manifest-head';
import { offlineStoreOf } from './offline-stores';
import { type ProofTask, proofTask } from './proof-task';

const READY_LIMIT_MS = 20_000;
const ABANDONED_MAX = 64;

const MAKES_KEYS = {
  Genesis: true,
  Clone: false,
  KeyHarvest: true,
  AddProvisioner: false,
  AddMacUser: false,
} as const satisfies Readonly<Record<CeremonyKind, boolean>>;

export const startOfGroup = (id: string, kind: FleetKind): Dispatch => ({
  ...{ kind: 'start', aggregateId: id, dedupeKey: `start:${id}` },
  routing: routingOf(kind),
});

const routingOf = (kind: FleetKind): Dispatch['routing'] => ({
  workflow: FLEET_GROUP,
  summary: `Fleet operation: ${kind}`,
});

/** Returns the routing that starts the workflow again; undefined if the group has ended. */
export async function restartGroup(tx: Tx, groupId: string): Promise<Dispatch['routing'] | undefined> {
  const row = await fleetGroupStore.find(tx, groupId);
  return row?.status === 'Initialized' || row?.status === 'InReview' ? routingOf(row.kind) : undefined;
}

/**
 * Begins a ceremony, and returns the archive for the device once the signer has signed it. Throws `NotFound` for a store of
 * another kind or organisation, `Conflict` if the store has an open group, and the errors of `ceremonyTask`. Throws `NotReady`
 * if the signer exceeds the time limit, and `WrongState` if the signer refuses; `details` then has the id of the group.
 */
export async function createCeremony(
  services: Services,
  authority: Authority,
  storeId: string,
  { abandons = [], ...request }: CeremonyRequest & { readonly abandons?: readonly string[] | undefined },
): Promise<string> {
  const start = await act(services.db, authority, async (tx, userActionId) => {
    const store = await offlineStoreOf(tx, storeId);
    if (MAKES_KEYS[request.kind] && store.state !== 'Active')
      throw new AppError('WrongState', `the key store is ${store.state} and gets no new keys`, { storeId });
    await fleetStore.ensure(tx, { id: newId('fleet'), storeId, label: store.name });
    const fleet = await fleetStore.lock(tx, storeId);
    invariant(fleet, 'the row of the fleet exists');
    const operationId = newId('fleetOperation');
    const task = await ceremonyTask(request, headOf(fleet), { operationId, storeId, reader: tx });
    return addGroup(tx, { storeId, createdBy: authority.caller.userId, createdActionId: userActionId }, task, {
      manifestBefore: fleet.manifestDigest,
      abandons: [...new Set([...abandons, ...(await fleetOutputStore.abandoned(tx, storeId, ABANDONED_MAX))])]
        .filter((digest) => digest !== fleet.manifestDigest)
        .slice(0, ABANDONED_MAX),
    });
  });
  void services.dispatcher.tryNow(authority.caller.orgId, start);
  return archiveWhenReady(services, authority.caller.orgId, start.aggregateId);
}

type Founder = Pick<NewFleetGroup, 'storeId' | 'createdBy' | 'createdActionId'>;

/**
 * Begins a group that carries the waiting requests of the store to a device, and returns the archive once the signer has vouched
 * for the requests. Throws `NotFound` for a store of another kind or organisation, `Conflict` if the store has an open group, and
 * `WrongState` if nothing waits, if the store has no fleet, and if no waiting request may be signed at present.
 */
export const createSigning = (services: Services, authority: Authority, storeId: string): Promise<string> =>
  createUse(services, authority, storeId, async (tx) => {
    if ((await offlineRequestStore.waiting(tx, storeId, 1)).length === 0)
      throw new AppError('WrongState', 'nothing waits for a signature of the key store', { storeId });
    return { kind: 'OnchainSign' };
  });

/**
 * Begins a group in which a device proves that it has the keys of these wallets, and returns the archive once the signer has signed
 * it. Throws the errors of `proofTask`, `NotFound` for a store of another kind or organisation, `Conflict` if the store has an open
 * group, and `WrongState` if the store has no fleet, or if the signer refuses.
 */
export const createControlProofs = (
  services: Services,
  authority: Authority,
  storeId: string,
  walletIds: readonly string[],
): Promise<string> => createUse(services, authority, storeId, (tx) => proofTask(tx, storeId, walletIds));

/** A group that uses keys of a fleet, and leaves the fleet as it is. */
async function createUse(
  services: Services,
  authority: Authority,
  storeId: string,
  taskFor: (tx: Tx) => Promise<Begun>,
): Promise<string> {
  const start = await act(services.db, authority, async (tx, userActionId) => {
    await offlineStoreOf(tx, storeId);
    const fleet = await fleetStore.lock(tx, storeId);
    if (!fleet?.manifestDigest) throw new AppError('WrongState', 'the key store has no fleet: create one first', { storeId });
    const founder = { storeId, createdBy: authority.caller.userId, createdActionId: userActionId };
    return addGroup(tx, founder, await taskFor(tx), { manifestBefore: fleet.manifestDigest, abandons: [] });
  });
  void services.dispatcher.tryNow(authority.caller.orgId, start);
  return archiveWhenReady(services, authority.caller.orgId, start.aggregateId);
}

type Begun = Exclude<FleetTask, { kind: 'OnchainSign' | 'ProofOfControl' }> | { readonly kind: 'OnchainSign' } | ProofTask;

/** The operations of a group that signs are added when its requests are collected. */
function operationsOf(task: Begun): readonly NewFleetOperation[] {
  const { kind } = task;
  if ('operationId' in task) return [{ id: task.operationId, kind, subjectId: null }];
  if (!('requests' in task)) return [];
  return task.requests.map(({ operationId, walletId }) => ({ id: operationId, kind, subjectId: walletId }));
}

/** Throws `Conflict` if the store has an open group. */
async function addGroup(
  tx: Tx,
  founder: Founder,
  task: Begun,
  basis: Pick<NewFleetGroup, 'manifestBefore' | 'abandons'>,
): Promise<Dispatch> {
  const { kind } = task;
  const id = newId('fleetGroup');
  const endsAt = new Date((await tx.clock()).getTime() + lapsesAfterMs(kind));
  const group = { id, kind, task, endsAt, ...founder, ...basis };
  const operations = operationsOf(task);
  if (!(await fleetGroupStore.add(tx, group, operations))) {
    const open = await fleetGroupStore.openOf(tx, founder.storeId);
    throw new AppError('Conflict', 'the key store has an open group', open ? { groupId: open.id, status: open.status } : {});
  }
  await emitGroup(tx, id);
  const start = startOfGroup(id, kind);
  await outboxStore.add(tx, start);
  return start;
}

async function archiveWhenReady({ db, changes }: Services, orgId: string, groupId: string): Promise<string> {
  const group = await changes.waitFor(
    groupId,
    () => fleetGroupStore.find(db.read(orgId), groupId),
    (now) => now?.status !== 'Initialized' || now.input !== null,
    READY_LIMIT_MS,
    UNANNOUNCED_REREAD_MS,
  );
  invariant(group, `the group ${groupId} is never deleted`);
  if (group.input !== null) return group.input;
  if (group.status === 'Initialized')
    throw new AppError('NotReady', 'The archive is still being made. Download it from the group when it is ready.', { groupId });
  throw new AppError('WrongState', group.reason ?? `the group is ${group.status}`, { groupId, status: group.status });
}
