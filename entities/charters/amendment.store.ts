import type { AmendmentKind } from '../../domain/amendments';
import type { Reader, Tx } from '../database';
import type { SqlValue } from '../read-message';
import { AmendmentEntity } from './amendment.entity';

/** An advisory lock per organisation. Its key consists of this number and a hash of the organisation id. */
const AMENDMENT_LOCKS = 7_203_116;

export type NewAmendment = Pick<AmendmentEntity, 'id' | 'kind' | 'userActionId' | 'approvalId' | 'given'>;
export type AmendmentEnd =
  | { readonly status: 'InForce'; readonly sequence: number; readonly digest: string }
  | { readonly status: 'Refused'; readonly reason: string };
/** An amendment with the requester, method and path of its user action. */
export type AmendmentRecord = AmendmentEntity & { readonly requesterId: string; readonly method: string; readonly path: string };
type Page = {
  readonly status: AmendmentEntity['status'] | undefined;
  readonly after: string | undefined;
  readonly limit: number;
};

const records = (reader: Reader, tail: string, values: readonly SqlValue[]): Promise<AmendmentRecord[]> =>
  reader.select(
    `SELECT t.org_id AS "orgId", t.id, t.ordinal, t.kind, t.user_action_id AS "userActionId", t.approval_id AS "approvalId", t.given,
       t.status, t.reason, t.sequence, t.digest, t.date_created AS "dateCreated", t.date_ended AS "dateEnded",
       a.user_id AS "requesterId", a.method, a.path
     FROM amendments t JOIN user_actions a ON a.org_id = t.org_id AND a.id = t.user_action_id ${tail}`,
    values,
  );

export const amendmentStore = {
  /** The lock makes concurrent transactions commit in the order of their amendments. */
  async add(tx: Tx, amendment: NewAmendment): Promise<void> {
    await tx.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [AMENDMENT_LOCKS, tx.orgId]);
    await tx.insert(AmendmentEntity, { orgId: tx.orgId, status: 'Waiting', ...amendment });
  },

  async find(reader: Reader, id: string): Promise<AmendmentRecord | undefined> {
    return (await records(reader, 'WHERE t.id = $1', [id]))[0];
  },

  /** The amendments that wait for the signer, in the order in which the service applied them. */
  async waiting(reader: Reader, rowsMax: number, kinds: readonly AmendmentKind[] | null = null): Promise<AmendmentRecord[]> {
    const tail = `WHERE t.status = 'Waiting' AND ($2::text[] IS NULL OR t.kind = ANY($2)) ORDER BY t.ordinal LIMIT $1`;
    return records(reader, tail, [rowsMax, kinds]);
  },

  /** Newest first, plus one row if there is a next page. */
  async page(reader: Reader, { status, after, limit }: Page): Promise<AmendmentRecord[]> {
    return records(
      reader,
      `WHERE ($1::text IS NULL OR t.status = $1) AND ($2::text IS NULL OR t.id < $2 COLLATE "C") ORDER BY t.id DESC LIMIT $3`,
      [status ?? null, after ?? null, limit + 1],
    );
  },

  /** Returns false if the amendment has already ended. */
  async end(tx: Tx, id: string, end: AmendmentEnd): Promise<boolean> {
    const { status, reason, sequence, digest } = { reason: null, sequence: null, digest: null, ...end };
    const ended = await tx.query(
      `UPDATE amendments SET status = $3, reason = $4, sequence = $5, digest = $6, date_ended = clock_timestamp()
       WHERE org_id = $1 AND id = $2 AND status = 'Waiting' RETURNING id`,
      [tx.orgId, id, status, reason, sequence, digest],
    );
    return ended.length > 0;
  },
};
