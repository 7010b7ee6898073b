import type { NetworkName } from '../../domain/networks';
import type { Reader, Tx } from '../database';
import type { MovementCursor } from '../movements/movement.store';
import type { SqlValue } from '../read-message';
import { moveRows } from '../scans/move-rows';
import { ContractEventEntity } from './contract-event.entity';

export type NewContractEvent = Omit<ContractEventEntity, 'orgId' | 'status' | 'version' | 'dateCreated'>;

type ContractEventFilter = {
  readonly name?: string | undefined;
  readonly contract?: string | undefined;
  readonly txHash?: string | undefined;
  /** The page begins after this place. Contract events and movements share one order. */
  readonly after?: MovementCursor | undefined;
};

export const contractEventStore = {
  /**
   * Writes the events as `Included`. An existing row stays unchanged, unless a reorganisation has withdrawn it. Skips the events
   * of a watch that was archived while the block was read.
   */
  async put(tx: Tx, events: readonly NewContractEvent[]): Promise<void> {
    await tx.query(
      `INSERT INTO contract_events AS e (org_id, subject_id, id, network, name, status, block_height, block_hash, date_mined,
         tx_hash, place, log_index, contract, data)
       SELECT $1, r."subjectId", r.id, r.network, r.name, 'Included', r."blockHeight", r."blockHash", r."dateMined", r."txHash",
         r.place, r."logIndex", r.contract, r.data
       FROM jsonb_to_recordset($2::jsonb) AS r ("subjectId" text, id text, network text, name text, "blockHeight" bigint,
         "blockHash" text, "dateMined" timestamptz, "txHash" text, place bigint, "logIndex" text, contract text, data jsonb)
       JOIN watched_addresses w ON w.org_id = $1 AND w.subject_id = r."subjectId" AND w.is_active
       ON CONFLICT (org_id, subject_id, id) DO UPDATE SET status = 'Included', version = e.version + 1, name = EXCLUDED.name,
         block_height = EXCLUDED.block_height, block_hash = EXCLUDED.block_hash, date_mined = EXCLUDED.date_mined,
         place = EXCLUDED.place, log_index = EXCLUDED.log_index, contract = EXCLUDED.contract, data = EXCLUDED.data
       WHERE e.status = 'Withdrawn'`,
      [tx.orgId, JSON.stringify(events)],
    );
  },

  /** Returns the events that this call has confirmed, at most `rowsMax`, in the order of the chain. */
  async confirm(tx: Tx, network: NetworkName, upToHeight: number, rowsMax: number): Promise<ContractEventEntity[]> {
    // A query of its own. As a subquery of the UPDATE, Postgres may run it once per row, and would then ignore the limit.
    const rows = await tx.rows(
      ContractEventEntity,
      `WHERE t.org_id = $4 AND t.network = $1 AND t.block_height <= $2 AND t.status = 'Included'
       ORDER BY t.block_height, t.place, t.subject_id LIMIT $3 FOR UPDATE`,
      [network, upToHeight, rowsMax, tx.orgId],
    );
    const moved = await moveRows(tx, 'contract_events', rows, 'Confirmed');
    return moved.map((row) => ({ ...row, status: 'Confirmed' }));
  },

  /** Returns the events that this call has withdrawn, at most `rowsMax`, with the status that they had before. */
  async withdraw(tx: Tx, network: NetworkName, fromHeight: number, since: Date, rowsMax: number): Promise<ContractEventEntity[]> {
    const rows = await tx.rows(
      ContractEventEntity,
      `WHERE t.org_id = $5 AND t.network = $1 AND t.block_height >= $2 AND t.date_mined >= $3 AND t.status <> 'Withdrawn'
       ORDER BY t.block_height DESC, t.place DESC LIMIT $4 FOR UPDATE`,
      [network, fromHeight, since, rowsMax, tx.orgId],
    );
    return moveRows(tx, 'contract_events', rows, 'Withdrawn');
  },

  /** Newest first. */
  async list(
    reader: Reader,
    subjectId: string,
    { name, contract, txHash, after }: ContractEventFilter,
    rowsMax: number,
  ): Promise<ContractEventEntity[]> {
    const values: SqlValue[] = [subjectId];
    const place = (value: SqlValue) => `$${values.push(value)}`;
    const conditions = ['t.subject_id = $1', `t.status <> 'Withdrawn'`];
    if (name !== undefined) conditions.push(`t.name = ${place(name)}`);
    if (contract !== undefined) conditions.push(`t.contract = ${place(contract)}`);
    if (txHash !== undefined) conditions.push(`t.tx_hash = ${place(txHash)}`);
    if (after !== undefined)
      conditions.push(
        `(t.block_height, t.place, t.id) < (${place(after.height)}::bigint, ${place(after.place)}::bigint, ${place(after.id)})`,
      );
    return reader.rows(
      ContractEventEntity,
      `WHERE ${conditions.join(' AND ')} ORDER BY t.block_height DESC, t.place DESC, t.id DESC LIMIT ${place(rowsMax)}`,
      values,
    );
  },
};
