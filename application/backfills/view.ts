import type { BackfillEntity } from '../../entities/backfills/backfill.entity';

export const backfillView = (row: BackfillEntity) => ({
  id: row.id,
  status: row.status,
  cause: row.cause,
  ...(row.fromHeight === null ? {} : { fromBlock: Number(row.fromHeight) }),
  ...(row.fromDate === null ? {} : { fromDate: row.fromDate.toISOString() }),
  ...(row.nextHeight === null || Number(row.nextHeight) < 0 ? {} : { nextBlock: Number(row.nextHeight) }),
  blocks: Number(row.blocks),
  withoutRoot: Number(row.unproved),
  withoutTraces: Number(row.untraced),
  movements: Number(row.found),
  ...(row.reason === null ? {} : { reason: row.reason }),
  dateCreated: row.dateCreated.toISOString(),
  ...(row.dateDone === null ? {} : { dateDone: row.dateDone.toISOString() }),
});
export type BackfillView = ReturnType<typeof backfillView>;
