import { invariant } from '../../domain/errors';
import type { Reader, Tx } from '../database';
import type { OutgoingEntity } from './outgoing.entity';
import { PayloadEntity } from './payload.entity';

export const payloadStore = {
  of: (reader: Reader, transferId: string): Promise<PayloadEntity | undefined> =>
    reader.row(PayloadEntity, 'WHERE t.transfer_id = $1', [transferId]),

  async signed(tx: Tx, id: string, rawHex: string, txHash: string): Promise<void> {
    await tx.query(
      `UPDATE payloads SET state = 'Signed', raw_hex = $3, tx_hash = $4, date_signed = clock_timestamp()
       WHERE org_id = $1 AND id = $2`,
      [tx.orgId, id, rawHex, txHash],
    );
  },

  /** What it would have used up was finally used by another one. */
  replaced: (tx: Tx, transferId: string): Promise<number> => tx.update(PayloadEntity, { transferId }, { state: 'Replaced' }),

  /** Which of these transfers carries the operation of this hash. */
  async ofOperation(tx: Tx, transferIds: readonly string[], operationHash: string): Promise<string | undefined> {
    const [row] = await tx.query<{ id: string }>(
      `SELECT transfer_id AS id FROM payloads WHERE org_id = $1 AND transfer_id = ANY($2) AND operation_hash = $3
       ORDER BY id DESC LIMIT 1`,
      [tx.orgId, transferIds, operationHash],
    );
    return row?.id;
  },

  /** Whether a block has taken, or the chain has finally decided for, the bytes of any of these. */
  async anyIncluded(tx: Tx, transferIds: readonly string[]): Promise<boolean> {
    const rows = await tx.query(
      `SELECT 1 FROM payloads WHERE org_id = $1 AND transfer_id = ANY($2)
         AND (state = 'Included' OR (state = 'Final' AND included_height IS NOT NULL)) LIMIT 1`,
      [tx.orgId, transferIds],
    );
    return rows.length > 0;
  },

  /** Signed bytes with the same nonce that compete with these: of all of them one alone gets into a block. */
  async atSameNonce(reader: Reader, { id, transferId, fromAddress, nonce }: PayloadEntity): Promise<readonly PayloadEntity[]> {
    return reader.rows(
      PayloadEntity,
      `JOIN transfers own ON own.org_id = t.org_id AND own.id = $2
       JOIN transfers rival ON rival.org_id = t.org_id AND rival.id = t.transfer_id
         AND coalesce(rival.claims_of, rival.id) = coalesce(own.claims_of, own.id)
       WHERE t.id <> $1 AND t.from_address = $3 AND t.nonce = $4 AND t.tx_hash IS NOT NULL`,
      [id, transferId, fromAddress, nonce],
    );
  },

  /** Notes it for all bytes of these transfers that have the nonce of this payload; false where it was noted for any of them before. */
  async spentElsewhere(tx: Tx, id: string, transferIds: readonly string[]): Promise<boolean> {
    const same = `p.org_id = $1 AND p.transfer_id = ANY($3) AND (p.from_address, p.nonce) = (
      SELECT o.from_address, o.nonce FROM payloads o WHERE o.org_id = $1 AND o.id = $2)`;
    const values = [tx.orgId, id, transferIds];
    const known = await tx.query(`SELECT 1 FROM payloads p WHERE ${same} AND p.date_spent_elsewhere IS NOT NULL`, values);
    await tx.query(
      `UPDATE payloads p SET date_spent_elsewhere = clock_timestamp() WHERE ${same} AND p.date_spent_elsewhere IS NULL`,
      values,
    );
    return known.length === 0;
  },

  /** What was final in this block is on its way again; false when it stands elsewhere, or was reopened before. */
  async reopened(tx: Tx, id: string, blockHash: string | null): Promise<boolean> {
    const rows = await tx.query(
      `UPDATE payloads SET state = 'Broadcasted', included_height = NULL, included_hash = NULL, included_success = NULL,
              fee_units = NULL
       WHERE org_id = $1 AND id = $2 AND state = 'Final' AND included_hash = $3 RETURNING id`,
      [tx.orgId, id, blockHash],
    );
    return rows.length > 0;
  },

  /** What had lost may win again, as far as it was ever sent or carried out. Answers its transaction id, and undefined for what had not lost. */
  async unreplaced(tx: Tx, { id, state }: Pick<OutgoingEntity, 'id' | 'state'>): Promise<string | undefined> {
    const [row] = await tx.query<{ txHash: string }>(
      `UPDATE payloads SET state = 'Broadcasted', included_height = NULL, included_hash = NULL, included_success = NULL
       WHERE org_id = $1 AND transfer_id = $2 AND state = 'Replaced' AND (date_sent IS NOT NULL OR $3)
         AND tx_hash IS NOT NULL RETURNING tx_hash AS "txHash"`,
      [tx.orgId, id, state === 'Confirmed'],
    );
    return row?.txHash;
  },

  /** Answers when that was. A payload that the follower has found in a block meanwhile keeps what the follower wrote. */
  async sent(tx: Tx, id: string): Promise<Date> {
    const [row] = await tx.query<{ dateSent: Date }>(
      `UPDATE payloads SET date_sent = clock_timestamp(), state = CASE WHEN state = 'Signed' THEN 'Broadcasted' ELSE state END
       WHERE org_id = $1 AND id = $2 RETURNING date_sent AS "dateSent"`,
      [tx.orgId, id],
    );
    invariant(row, `the payload ${id} is there`);
    return row.dateSent;
  },
};
