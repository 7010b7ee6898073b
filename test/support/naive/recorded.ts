import { EventEntity } from '../../../entities/events/event.entity';
import { MovementEntity } from '../../../entities/movements/movement.entity';
import type { TestDatabase } from '../database';
import { type Line, lineOf, type NaiveSubject } from './naive-movement';

/** The movements that the scanner has recorded from this height on, in the order of the chain, as lines of the naive indexer. */
export async function recordedLines(
  database: TestDatabase,
  subjects: readonly NaiveSubject[],
  fromHeight = 0,
): Promise<string[]> {
  const lines: string[] = [];
  for (const { orgId, subjectId, address } of subjects) {
    const rows = await database.db
      .read(orgId)
      .rows(
        MovementEntity,
        `WHERE t.subject_id = $1 AND t.block_height >= $2 AND t.status <> 'Withdrawn' ORDER BY t.block_height, t.place, t.direction DESC`,
        [subjectId, fromHeight],
      );
    for (const row of rows) lines.push(lineOf(recorded(row, address)));
  }
  return lines;
}

const recorded = (row: MovementEntity, address: string): Line => ({
  subjectId: row.subjectId,
  height: Number(row.blockHeight),
  from: row.fromAddresses?.join(' ') ?? row.fromAddress ?? '',
  to: row.toAddresses?.join(' ') ?? row.toAddress ?? '',
  contract: row.contract ?? '',
  tokenId: row.tokenId ?? '',
  logIndex: row.logIndex ?? '',
  amount: row.amountUnits ?? '',
  fee: row.feeUnits ?? '',
  isReverted: row.isReverted,
  kind: row.kind,
  date: row.dateMined.toISOString(),
  blockHash: row.blockHash,
  txHash: row.txHash,
  address,
  direction: row.direction,
  status: row.status,
});

/** The faults of the events. Each version of a movement of a wallet needs one event, and the last event must have its status. */
export async function eventFaults(database: TestDatabase, orgIds: readonly string[]): Promise<string[]> {
  const faults: string[] = [];
  for (const orgId of orgIds) {
    const reader = database.db.read(orgId);
    const events = await reader.rows(
      EventEntity,
      `WHERE t.kind LIKE 'wallet.blockchain%' ORDER BY t.aggregate_id, t.aggregate_version`,
    );
    const told = new Map<string, string[]>();
    for (const { aggregateId, aggregateVersion, kind } of events)
      told.set(aggregateId, [...(told.get(aggregateId) ?? []), `${aggregateVersion} ${kind.split('.').at(-1)}`]);
    for (const { id, version, status } of await reader.rows(MovementEntity, `WHERE t.subject_id LIKE 'wa-%'`)) {
      const own = told.get(id) ?? [];
      const last = { Included: 'included', Confirmed: 'detected', Withdrawn: 'reversed' }[status];
      if (own.length !== version || own.at(-1) !== `${version} ${last}`)
        faults.push(`${id} ${version} ${status}: ${own.join(', ')}`);
    }
  }
  return faults;
}
