import { invariant } from '../../domain/errors';
import type { NetworkName } from '../../domain/networks';
import type { Reader, Tx } from '../database';
import type { OutgoingEntity } from './outgoing.entity';
import { PayloadEntity } from './payload.entity';

type Inclusion = {
  readonly height: number;
  readonly blockHash: string;
  readonly success: boolean;
  readonly feeUnits: bigint | null;
};
type Lane = { readonly network: NetworkName; readonly address: string };

export const payloadStore = {
  of: (reader: Reader, transferId: string): Promise<PayloadEntity | undefined> =>
    reader.row(PayloadEntity, 'WHERE t.transfer_id = $1', [transferId]),

  async signed(tx: Tx, id: string, rawHex: string, txHash: string): Promise<void> {
    await tx.run(
      `UPDATE payloads SET state = 'Signed', raw_hex = $3, tx_hash = $4, date_signed = clock_timestamp()
       WHERE org_id = $1 AND id = $2`,
      [tx.orgId, id, rawHex, txHash],
    );
  },

  /** Records that another payload with the same claims (reserved nonces and coins) became final. */
  replaced: (tx: Tx, transferId: string): Promise<number> => tx.update(PayloadEntity, { transferId }, { state: 'Replaced' }),

  async ofOperation(tx: Tx, transferIds: readonly string[], operationHash: string): Promise<string | undefined> {
    const [row] = await tx.query<{ id: string }>(
      `SELECT transfer_id AS id FROM payloads WHERE org_id = $1 AND transfer_id = ANY($2) AND operation_hash = $3
       ORDER BY id DESC LIMIT 1`,
      [tx.orgId, transferIds, operationHash],
    );
    return row?.id;
  },

  async anyIncluded(tx: Tx, transferIds: readonly string[]): Promise<boolean> {
    const rows = await tx.query(
      `SELECT 1 FROM payloads WHERE org_id = $1 AND transfer_id = ANY($2)
         AND (state = 'Included' OR (state = 'Final' AND included_height IS NOT NULL)) LIMIT 1`,
      [tx.orgId, transferIds],
    );
    return rows.length > 0;
  },

  /** The other signed payloads of the rivals with the same nonce. The chain includes at most one payload with this nonce. */
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

  /**
   * Records that a foreign transaction, which this service has not signed, used the nonce. Marks every payload of these transfers
   * with the same nonce. Returns false if one of the payloads was marked before.
   */
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

  /** Records the blocks of the payloads. Payloads that have ended stay unchanged and are not returned. */
  included: (
    tx: Tx,
    found: readonly { readonly id: string; readonly receipt: Inclusion }[],
  ): Promise<(Lane & { readonly id: string })[]> =>
    tx.query(
      `UPDATE payloads p SET state = 'Included', included_height = f.height, included_hash = f.hash,
              included_success = f.success, fee_units = coalesce(f.fee::numeric, p.max_fee_units)
       FROM unnest($2::text[], $3::integer[], $4::text[], $5::boolean[], $6::text[]) AS f(id, height, hash, success, fee)
       WHERE p.org_id = $1 AND p.id = f.id AND p.state IN ('Signed', 'Broadcasted', 'Included')
       RETURNING p.id, p.network, p.from_address AS address`,
      [
        tx.orgId,
        found.map(({ id }) => id),
        found.map(({ receipt }) => receipt.height),
        found.map(({ receipt }) => receipt.blockHash),
        found.map(({ receipt }) => receipt.success),
        found.map(({ receipt }) => receipt.feeUnits?.toString() ?? null),
      ],
    ),

  /** Records that a reorganisation removed the block. */
  async dropped(tx: Tx, ids: readonly string[]): Promise<void> {
    await tx.query(
      `UPDATE payloads SET state = 'Broadcasted', included_height = NULL, included_hash = NULL, included_success = NULL,
              fee_units = NULL
       WHERE org_id = $1 AND id = ANY($2) AND state = 'Included'`,
      [tx.orgId, ids],
    );
  },

  /**
   * Returns the current time and the paid fee. Changes nothing and returns undefined if the payload has ended, or if another
   * result was recorded for the same block.
   */
  async final(tx: Tx, id: string, receipt: Inclusion): Promise<{ readonly now: Date; readonly paid: string } | undefined> {
    const [closed] = await tx.query<{ now: Date; paid: string }>(
      `UPDATE payloads SET state = 'Final', included_height = $3, included_hash = $4, included_success = $5,
         fee_units = coalesce($6::numeric, max_fee_units)
       WHERE org_id = $1 AND id = $2 AND state NOT IN ('Final', 'Replaced')
         AND (included_hash IS DISTINCT FROM $4 OR included_success IS NOT DISTINCT FROM $5)
       RETURNING clock_timestamp() AS now, fee_units::text AS paid`,
      [tx.orgId, id, receipt.height, receipt.blockHash, receipt.success, receipt.feeUnits?.toString() ?? null],
    );
    return closed;
  },

  async isOpen(tx: Tx, id: string): Promise<boolean> {
    const open = `SELECT 1 FROM payloads WHERE org_id = $1 AND id = $2 AND state NOT IN ('Final', 'Replaced')`;
    return (await tx.query(open, [tx.orgId, id])).length > 0;
  },

  /** Returns false if the payload is in a block or has already ended. */
  async lapsed(tx: Tx, id: string): Promise<boolean> {
    const rows = await tx.query(
      `UPDATE payloads SET state = 'Final' WHERE org_id = $1 AND id = $2 AND state IN ('Signed', 'Broadcasted') RETURNING id`,
      [tx.orgId, id],
    );
    return rows.length > 0;
  },

  /** Records that the payload is now in another block of the same chain. */
  async movedFinal(
    tx: Tx,
    { id, includedHash }: { readonly id: string; readonly includedHash: string | null },
    to: { readonly height: number; readonly hash: string },
  ): Promise<void> {
    await tx.query(
      `UPDATE payloads SET included_height = $4, included_hash = $5
       WHERE org_id = $1 AND id = $2 AND state = 'Final' AND included_hash = $3`,
      [tx.orgId, id, includedHash, to.height, to.hash],
    );
  },

  /** Returns false if the payload is in another block or was already reopened. */
  async reopened(tx: Tx, id: string, blockHash: string | null): Promise<boolean> {
    const rows = await tx.query(
      `UPDATE payloads SET state = 'Broadcasted', included_height = NULL, included_hash = NULL, included_success = NULL,
              fee_units = NULL
       WHERE org_id = $1 AND id = $2 AND state = 'Final' AND included_hash = $3 RETURNING id`,
      [tx.orgId, id, blockHash],
    );
    return rows.length > 0;
  },

  /**
   * Reopens a payload that had lost to a rival, because the chain may include it again. Reopens only a payload that was sent or
   * whose request is confirmed. Returns the transaction id, or undefined if nothing was reopened.
   */
  async unreplaced(tx: Tx, { id, state }: Pick<OutgoingEntity, 'id' | 'state'>): Promise<string | undefined> {
    const [row] = await tx.query<{ txHash: string }>(
      `UPDATE payloads SET state = 'Broadcasted', included_height = NULL, included_hash = NULL, included_success = NULL
       WHERE org_id = $1 AND transfer_id = $2 AND state = 'Replaced' AND (date_sent IS NOT NULL OR $3)
         AND tx_hash IS NOT NULL RETURNING tx_hash AS "txHash"`,
      [tx.orgId, id, state === 'Confirmed'],
    );
    return row?.txHash;
  },

  /** Keeps the state if the follower has already found the payload in a block. */
  async sent(tx: Tx, id: string): Promise<Date> {
    const [row] = await tx.query<{ dateSent: Date }>(
      `UPDATE payloads SET date_sent = clock_timestamp(), state = CASE WHEN state = 'Signed' THEN 'Broadcasted' ELSE state END
       WHERE org_id = $1 AND id = $2 RETURNING date_sent AS "dateSent"`,
      [tx.orgId, id],
    );
    invariant(row, `the payload ${id} exists`);
    return row.dateSent;
  },
};
