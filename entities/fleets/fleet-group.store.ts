import type { FleetState } from '../../domain/fleets';
import type { Reader, Tx } from '../database';
import { FleetGroupEntity } from './fleet-group.entity';
import { FleetOperationEntity } from './fleet-operation.entity';

export type NewFleetGroup = Pick<
  FleetGroupEntity,
  'id' | 'storeId' | 'kind' | 'task' | 'manifestBefore' | 'abandons' | 'createdBy' | 'createdActionId' | 'endsAt'
>;
export type NewFleetOperation = Pick<FleetOperationEntity, 'id' | 'kind' | 'subjectId'>;
export type SealedInput = { readonly text: string; readonly digest: string };
type Page = { readonly storeId: string; readonly status?: FleetState | undefined; readonly after?: string | undefined };
type Changes = Partial<
  Pick<
    FleetGroupEntity,
    | ('status' | 'reason' | 'hindrance' | 'outputDigest')
    | (
        | 'submittedBy'
        | 'submittedActionId'
        | 'dateSubmitted'
        | 'reviewedBy'
        | 'reviewedActionId'
        | 'dateReviewed'
        | 'earlierReviews'
      )
    | ('canceledBy' | 'endedActionId' | 'dateCanceled' | 'dateRecorded' | 'dateReminded')
  >
>;

export const fleetGroupStore = {
  /** Returns false if the store has another open group. */
  async add(tx: Tx, group: NewFleetGroup, operations: readonly NewFleetOperation[]): Promise<boolean> {
    const added = await tx.insertOnce(FleetGroupEntity, { orgId: tx.orgId, status: 'Initialized', ...group });
    if (!added) return false;
    const rows = operations.map((one) => ({ orgId: tx.orgId, groupId: group.id, status: 'Initialized' as const, ...one }));
    if (rows.length > 0) await tx.insert(FleetOperationEntity, rows);
    return true;
  },

  find: (reader: Reader, id: string): Promise<FleetGroupEntity | undefined> =>
    reader.row(FleetGroupEntity, 'WHERE t.id = $1', [id]),

  lock: (tx: Tx, id: string): Promise<FleetGroupEntity | undefined> =>
    tx.row(FleetGroupEntity, 'WHERE t.id = $1 FOR UPDATE', [id]),

  openOf: (reader: Reader, storeId: string): Promise<FleetGroupEntity | undefined> =>
    reader.row(FleetGroupEntity, `WHERE t.store_id = $1 AND t.status IN ('Initialized', 'InReview')`, [storeId]),

  ofOperation: (reader: Reader, operationId: string): Promise<FleetGroupEntity | undefined> =>
    reader.row(FleetGroupEntity, 'JOIN fleet_operations o ON o.org_id = t.org_id AND o.group_id = t.id WHERE o.id = $1', [
      operationId,
    ]),

  operationsOf: (reader: Reader, groupIds: readonly string[]): Promise<FleetOperationEntity[]> =>
    groupIds.length === 0
      ? Promise.resolve([])
      : reader.rows(FleetOperationEntity, 'WHERE t.group_id = ANY($1) ORDER BY t.id', [groupIds]),

  /** Newest first, plus one row if there is a next page. */
  page: (reader: Reader, { storeId, status, after }: Page, limit: number): Promise<FleetGroupEntity[]> =>
    reader.rows(
      FleetGroupEntity,
      `WHERE t.store_id = $1 AND ($2::text IS NULL OR t.status = $2) AND ($3::text IS NULL OR t.id < $3 COLLATE "C")
       ORDER BY t.id DESC LIMIT $4`,
      [storeId, status ?? null, after ?? null, limit + 1],
    ),

  /** Writes the archive, and the operations that the archive contains, only once. */
  async seal(tx: Tx, id: string, { text, digest }: SealedInput): Promise<void> {
    await tx.run(`UPDATE fleet_groups SET input = $2, input_digest = $3 WHERE id = $1 AND input IS NULL`, [id, text, digest]);
  },

  /** The caller has locked the row, so the versions of a group have no gaps. */
  async change(tx: Tx, { id, version }: Pick<FleetGroupEntity, 'id' | 'version'>, changes: Changes): Promise<void> {
    await tx.set(FleetGroupEntity, { id }, { ...changes, version: version + 1 });
    if (changes.status) await tx.set(FleetOperationEntity, { groupId: id }, { status: changes.status });
  },

  async fail(tx: Tx, operationId: string, failure: string): Promise<void> {
    await tx.set(FleetOperationEntity, { id: operationId }, { failure });
  },
};
