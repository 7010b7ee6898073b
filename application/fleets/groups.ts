import { AppError, invariant } from '../../domain/errors';
import { FLEET_MOVES, type FleetKind, type FleetState } from '../../domain/fleets';
import { isId } from '../../domain/ids';
import { type KeyStoreFacts, reviewersOf } from '../../domain/key-stores';
import type { Reader, Tx } from '../../entities/database';
import { eventStore } from '../../entities/events/event.store';
import type { FleetGroupEntity } from '../../entities/fleets/fleet-group.entity';
import { fleetGroupStore } from '../../entities/fleets/fleet-group.store';
import type { FleetOperationEntity } from '../../entities/fleets/fleet-operation.entity';
import { type Dispatch, outboxStore } from '../../entities/outbox/outbox.store';
import { newId } from '../../platform/ids';
import { FLEET_GROUP_CHANGED } from '../../workflows/fleet-group.messages';

export type FleetGroupView = {
  readonly groupId: string;
  readonly storeId: string;
  readonly orgId: string;
  readonly status: FleetState;
  readonly createdBy: string;
  readonly submittedBy?: string;
  readonly reviewedBy?: string;
  readonly canceledBy?: string;
  readonly dateCreated: string;
  readonly dateSubmitted?: string;
  readonly dateReviewed?: string;
  readonly dateCanceled?: string;
  readonly reason?: string;
  readonly operations: FleetOperationView[];
};
export type FleetOperationView = {
  readonly operationId: string;
  readonly kind: FleetKind;
  readonly status: FleetState;
  readonly dateCreated: string;
};

const member = <N extends string>(name: N, value: string | Date | null): Partial<Record<N, string>> =>
  value === null ? {} : ({ [name]: value instanceof Date ? value.toISOString() : value } as Partial<Record<N, string>>);

export const fleetGroupView = (row: FleetGroupEntity, operations: readonly FleetOperationEntity[]): FleetGroupView => ({
  ...{ groupId: row.id, storeId: row.storeId, orgId: row.orgId, status: row.status, createdBy: row.createdBy },
  ...member('submittedBy', row.submittedBy),
  ...member('reviewedBy', row.reviewedBy),
  ...member('canceledBy', row.canceledBy),
  dateCreated: row.dateCreated.toISOString(),
  ...member('dateSubmitted', row.dateSubmitted),
  ...member('dateReviewed', row.dateReviewed),
  ...member('dateCanceled', row.dateCanceled),
  ...member('reason', row.reason),
  operations: operations
    .filter(({ groupId }) => groupId === row.id)
    .map(({ id, kind, status, dateCreated }) => ({ operationId: id, kind, status, dateCreated: dateCreated.toISOString() })),
});

export const groupNotFound = (groupId: string): AppError =>
  new AppError('NotFound', 'fleet operation group not found', { groupId });

/** Throws `NotFound` for a group of another store or organisation. */
export async function lockGroupOf(tx: Tx, storeId: string, groupId: string): Promise<FleetGroupEntity> {
  const row = isId('fleetGroup', groupId) ? await fleetGroupStore.lock(tx, groupId) : undefined;
  if (row?.storeId !== storeId) throw groupNotFound(groupId);
  return row;
}

/** Throws `NotFound` for a group of another store or organisation. */
export async function groupOf(reader: Reader, storeId: string, groupId: string): Promise<FleetGroupEntity> {
  const row = isId('fleetGroup', groupId) ? await fleetGroupStore.find(reader, groupId) : undefined;
  if (row?.storeId !== storeId) throw groupNotFound(groupId);
  return row;
}

/** The number of people who must still approve the group, by the service's copy of the store. The signer decides by its own record. */
export const reviewersMissing = (
  store: KeyStoreFacts,
  { earlierReviews, reviewedBy }: Pick<FleetGroupEntity, 'earlierReviews' | 'reviewedBy'>,
): number => (reviewedBy === null ? Math.max(1, reviewersOf(store) - earlierReviews.length) : 0);

/** Throws `WrongState` unless the group can reach the status. */
export function assertMoves({ id, status }: FleetGroupEntity, next: FleetState): void {
  if (FLEET_MOVES[status].some((state) => state === next)) return;
  throw new AppError('WrongState', `the group is ${status}`, { groupId: id, status });
}

export async function groupViewOf(reader: Reader, groupId: string): Promise<FleetGroupView> {
  const [row, operations] = await Promise.all([
    fleetGroupStore.find(reader, groupId),
    fleetGroupStore.operationsOf(reader, [groupId]),
  ]);
  invariant(row, `the group ${groupId} is never deleted`);
  return fleetGroupView(row, operations);
}

const EVENTS = {
  Initialized: 'fleet.group.created',
  InReview: 'fleet.group.submitted',
  Approved: 'fleet.group.approved',
  Rejected: 'fleet.group.rejected',
  Canceled: 'fleet.group.canceled',
} as const satisfies Readonly<Record<FleetState, string>>;

/** Reports the present status of the group, or that the group is about to end. */
export async function emitGroup(tx: Tx, groupId: string, kind?: 'fleet.group.due'): Promise<void> {
  const row = await fleetGroupStore.find(tx, groupId);
  invariant(row, `the group ${groupId} is never deleted`);
  const fleetGroup = fleetGroupView(row, await fleetGroupStore.operationsOf(tx, [groupId]));
  const event = { aggregateId: groupId, aggregateVersion: row.version, data: { fleetGroup } };
  await eventStore.emit(tx, { kind: kind ?? EVENTS[row.status], ...event });
}

/** The caller has locked the row and checked the move. */
export async function moveGroup(
  tx: Tx,
  row: FleetGroupEntity,
  status: FleetState,
  changes: Omit<Parameters<typeof fleetGroupStore.change>[2], 'status'>,
): Promise<void> {
  assertMoves(row, status);
  await fleetGroupStore.change(tx, row, { ...changes, status });
  await emitGroup(tx, row.id);
}

/** Wakes the workflow of the group. The signal has no content: the workflow reads the rows again. */
export async function wakeGroup(tx: Tx, groupId: string): Promise<Dispatch> {
  const row: Dispatch = {
    kind: 'signal',
    aggregateId: groupId,
    dedupeKey: newId('outbox'),
    routing: { signal: FLEET_GROUP_CHANGED },
  };
  await outboxStore.add(tx, row);
  return row;
}
