import type { Direction } from '../../domain/movements';
import type { NetworkName } from '../../domain/networks';
import type { Reader, Tx } from '../database';
import { inIndexOrder, type SqlValue } from '../read-message';
import { moveRows } from '../scans/move-rows';
import { MovementEntity } from './movement.entity';

export type NewMovement = Omit<MovementEntity, 'orgId' | 'status' | 'version' | 'dateCreated' | 'dateRecorded'>;

/** The place of a row in the history of a wallet. */
export type MovementCursor = { readonly height: string; readonly place: string; readonly id: string };
/** The place of a row in the order of the dates of blocks. */
export type DateCursor = Pick<MovementEntity, 'dateMined' | 'subjectId' | 'id'>;
/** The period includes both ends. Movements that got their present block after `asOf` are left out. */
export type MovementPeriod = { readonly startTime: Date; readonly endTime: Date; readonly asOf: Date };

export type MovementFilter = {
  readonly direction?: Direction | undefined;
  readonly kind?: string | undefined;
  /** Movements of any of these kinds. */
  readonly kinds?: readonly string[] | undefined;
  readonly contract?: string | undefined;
  readonly txHash?: string | undefined;
  /** The page begins after this row. */
  readonly after?: MovementCursor | undefined;
};

type Key = { readonly subjectId: string; readonly id: string };

const KEYS = 'RETURNING m.subject_id AS "subjectId", m.id';

/** SQL: the movement belongs to a wallet and not to an address watch. */
const OF_A_WALLET = `subject_id LIKE 'wa-%'`;

export const movementStore = {
  /**
   * Writes the movements with this status, and returns the rows that this call has written. An existing row stays unchanged,
   * unless a reorganisation has withdrawn it. A withdrawn row is included again at its new place on the chain. Skips the movements
   * of a watch that was archived while the block was read.
   */
  async put(tx: Tx, movements: readonly NewMovement[], status: 'Included' | 'Confirmed' = 'Included'): Promise<MovementEntity[]> {
    const keys = await tx.query<Key>(
      `INSERT INTO movements AS m (org_id, subject_id, id, network, direction, kind, status, block_height, block_hash, date_mined,
         tx_hash, ordinal, place, log_index, contract, token_id, from_address, to_address, from_addresses, to_addresses,
         amount_units, fee_units, symbol, decimals, is_verified, is_reverted, quotes, fee_quotes)
       SELECT $1, r."subjectId", r.id, r.network, r.direction, r.kind, $3, r."blockHeight", r."blockHash", r."dateMined",
         r."txHash", r.ordinal, r.place, r."logIndex", r.contract, r."tokenId", r."fromAddress", r."toAddress",
         r."fromAddresses", r."toAddresses", r."amountUnits", r."feeUnits", r.symbol, r.decimals, r."isVerified", r."isReverted",
         r.quotes, r."feeQuotes"
       FROM jsonb_to_recordset($2::jsonb) AS r ("subjectId" text, id text, network text, direction text, kind text,
         "blockHeight" bigint, "blockHash" text, "dateMined" timestamptz, "txHash" text, ordinal text, place bigint, "logIndex" text,
         contract text, "tokenId" text, "fromAddress" text, "toAddress" text, "fromAddresses" text[],
         "toAddresses" text[], "amountUnits" numeric, "feeUnits" numeric, symbol text, decimals integer, "isVerified" boolean,
         "isReverted" boolean, quotes jsonb, "feeQuotes" jsonb)
       JOIN watched_addresses w ON w.org_id = $1 AND w.subject_id = r."subjectId" AND w.is_active
       ON CONFLICT (org_id, subject_id, id) DO UPDATE SET status = EXCLUDED.status, version = m.version + 1,
         block_height = EXCLUDED.block_height, block_hash = EXCLUDED.block_hash, date_mined = EXCLUDED.date_mined,
         place = EXCLUDED.place, log_index = EXCLUDED.log_index, from_address = EXCLUDED.from_address,
         to_address = EXCLUDED.to_address, from_addresses = EXCLUDED.from_addresses, to_addresses = EXCLUDED.to_addresses,
         amount_units = EXCLUDED.amount_units, fee_units = EXCLUDED.fee_units, is_reverted = EXCLUDED.is_reverted,
         quotes = EXCLUDED.quotes, fee_quotes = EXCLUDED.fee_quotes, date_recorded = clock_timestamp()
       WHERE m.status = 'Withdrawn' ${KEYS}`,
      [tx.orgId, JSON.stringify(movements), status],
    );
    return ofKeys(tx, keys);
  },

  /** Returns the movements that this call has confirmed, at most `rowsMax`, in the order of the chain. */
  async confirm(tx: Tx, network: NetworkName, upToHeight: number, rowsMax: number): Promise<MovementEntity[]> {
    // A query of its own. As a subquery of the UPDATE, Postgres may run it once per row, and would then ignore the limit.
    const rows = await tx.rows(
      MovementEntity,
      `WHERE t.org_id = $4 AND t.network = $1 AND t.block_height <= $2 AND t.status = 'Included'
       ORDER BY t.block_height, t.place, t.subject_id, t.direction DESC LIMIT $3 FOR UPDATE`,
      [network, upToHeight, rowsMax, tx.orgId],
    );
    const moved = await moveRows(tx, 'movements', rows, 'Confirmed');
    return moved.map((row) => ({ ...row, status: 'Confirmed' }));
  },

  /** Returns the movements that this call has withdrawn, at most `rowsMax`, with the status that they had before. */
  async withdraw(tx: Tx, network: NetworkName, fromHeight: number, since: Date, rowsMax: number): Promise<MovementEntity[]> {
    const rows = await tx.rows(
      MovementEntity,
      `WHERE t.org_id = $5 AND t.network = $1 AND t.block_height >= $2 AND t.date_mined >= $3 AND t.status <> 'Withdrawn'
       ORDER BY t.block_height DESC, t.place DESC LIMIT $4 FOR UPDATE`,
      [network, fromHeight, since, rowsMax, tx.orgId],
    );
    return moveRows(tx, 'movements', rows, 'Withdrawn');
  },

  /** The fee that a subject has paid for the transaction. Undefined if none of the subjects paid it. */
  async paidFor(
    tx: Tx,
    network: NetworkName,
    { txHash, dateMined }: Pick<MovementEntity, 'txHash' | 'dateMined'>,
  ): Promise<Pick<MovementEntity, 'feeUnits' | 'isReverted'> | undefined> {
    const [paid] = await tx.query<Pick<MovementEntity, 'feeUnits' | 'isReverted'>>(
      `SELECT fee_units AS "feeUnits", is_reverted AS "isReverted" FROM movements
       WHERE org_id = $1 AND date_mined = $2 AND network = $3 AND tx_hash = $4 AND status <> 'Withdrawn' AND fee_units IS NOT NULL
       ORDER BY subject_id LIMIT 1`,
      [tx.orgId, dateMined, network, txHash],
    );
    return paid;
  },

  /** Newest first. */
  async list(reader: Reader, subjectId: string, filter: MovementFilter, rowsMax: number): Promise<MovementEntity[]> {
    const values: SqlValue[] = [subjectId];
    const place = (value: SqlValue) => `$${values.push(value)}`;
    const conditions = ['t.subject_id = $1', `t.status <> 'Withdrawn'`];
    if (filter.direction !== undefined) conditions.push(`t.direction = ${place(filter.direction)}`);
    if (filter.kind !== undefined) conditions.push(`t.kind = ${place(filter.kind)}`);
    if (filter.kinds !== undefined) conditions.push(`t.kind = ANY(${place(filter.kinds)})`);
    if (filter.contract !== undefined) conditions.push(`t.contract = ${place(filter.contract)}`);
    if (filter.txHash !== undefined) conditions.push(`t.tx_hash = ${place(filter.txHash)}`);
    if (filter.after !== undefined) {
      const { height, place: at, id } = filter.after;
      conditions.push(`(t.block_height, t.place, t.id) < (${place(height)}::bigint, ${place(at)}::bigint, ${place(id)})`);
    }
    return reader.rows(
      MovementEntity,
      `WHERE ${conditions.join(' AND ')} ORDER BY t.block_height DESC, t.place DESC, t.id DESC LIMIT ${place(rowsMax)}`,
      values,
    );
  },

  /** The unique tokens whose last movement went into the wallet or watch; the token with the latest movement comes first. */
  receivedLast: (reader: Reader, subjectId: string, rowsMax: number): Promise<{ contract: string; tokenId: string }[]> =>
    reader.select(
      `SELECT contract, token_id AS "tokenId" FROM (
         SELECT DISTINCT ON (contract, token_id) contract, token_id, direction, block_height, place FROM movements
         WHERE subject_id = $1 AND kind = 'Erc721Transfer' AND status <> 'Withdrawn'
         ORDER BY contract, token_id, block_height DESC, place DESC, direction
       ) latest WHERE direction = 'In' ORDER BY block_height DESC, place DESC LIMIT $2`,
      [subjectId, rowsMax],
    ),

  /** The movements of all wallets in the period, oldest first. A page begins after the row of the cursor. */
  listBetween: (
    reader: Reader,
    period: MovementPeriod,
    after: DateCursor | undefined,
    rowsMax: number,
  ): Promise<MovementEntity[]> =>
    inIndexOrder(reader, () => reader.rows(MovementEntity, BETWEEN, [...boundsOf(period, after), rowsMax])),

  /** Counts the movements of `listBetween`, up to `rowsMax`. */
  async countBetween(reader: Reader, period: MovementPeriod, after: DateCursor | undefined, rowsMax: number): Promise<number> {
    const sql = `SELECT count(*)::int AS rows FROM (SELECT 1 FROM movements t ${BETWEEN}) found`;
    const [found] = await inIndexOrder(reader, () => reader.select<{ rows: number }>(sql, [...boundsOf(period, after), rowsMax]));
    return found?.rows ?? 0;
  },
};

/** SQL: a row that a reorganisation moves to another block gets a new date of recording. */
const BETWEEN = `WHERE t.status <> 'Withdrawn' AND t.${OF_A_WALLET} AND (t.date_mined, t.subject_id, t.id) > ($1, $2, $3)
  AND t.date_mined <= $4 AND coalesce(t.date_recorded, t.date_created) <= $5 ORDER BY t.date_mined, t.subject_id, t.id LIMIT $6`;

const boundsOf = ({ startTime, endTime, asOf }: MovementPeriod, after: DateCursor | undefined) => [
  after?.dateMined ?? startTime,
  after?.subjectId ?? '',
  after?.id ?? '',
  endTime,
  asOf,
];

const ofKeys = async (tx: Tx, keys: readonly Key[]): Promise<MovementEntity[]> =>
  keys.length === 0
    ? []
    : tx.rows(
        MovementEntity,
        `WHERE t.org_id = $3 AND (t.subject_id, t.id) IN (SELECT * FROM unnest($1::text[], $2::text[]))
         ORDER BY t.block_height, t.place, t.subject_id, t.direction DESC`,
        [keys.map(({ subjectId }) => subjectId), keys.map(({ id }) => id), tx.orgId],
      );
