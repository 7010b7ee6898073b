import { AppError } from '../../domain/errors';
import { assertMove, REVERSIBLE_STATES, type TransferForm, type TransferState } from '../../domain/transfers';
import type { Reader, Tx } from '../database';
import { FAILED_TRANSFERS } from '../ended-states';
import { OutgoingEntity } from './outgoing.entity';

type Changes = Partial<
  Pick<
    OutgoingEntity,
    | 'requestBody'
    | 'reason'
    | 'txHash'
    | 'feeUnits'
    | 'approvalId'
    | 'verdictId'
    | 'policyEpoch'
    | 'waitingSince'
    | 'datePolicyResolved'
    | 'dateBroadcasted'
    | 'dateConfirmed'
  >
>;

type Payment = Pick<OutgoingEntity, 'walletId' | 'toAddress' | 'amountUnits' | 'assetKind' | 'contract'> &
  Partial<Pick<OutgoingEntity, 'tokenId' | 'options' | 'terms'>>;

type Page = { readonly walletId: string; readonly form: TransferForm; readonly after?: string | undefined };
const OF_WALLET = 'WHERE t.wallet_id = $1 AND t.form = $2';

export const outgoingStore = {
  find: (reader: Reader, id: string): Promise<OutgoingEntity | undefined> => reader.row(OutgoingEntity, 'WHERE t.id = $1', [id]),

  findByExternalId: (reader: Reader, form: TransferForm, externalId: string): Promise<OutgoingEntity | undefined> =>
    reader.row(OutgoingEntity, 'WHERE t.form = $1 AND t.external_id = $2', [form, externalId]),

  /**
   * The first equal payment in the last `minutes` minutes. Includes speed-ups, but not failed requests or cancellations. Payments
   * with different memos are not equal. The caller has called `lockWallet`.
   */
  async equalTo(tx: Tx, payment: Payment, minutes: number): Promise<string | undefined> {
    const { walletId, toAddress, amountUnits, assetKind, contract, tokenId, options, terms } = payment;
    const [found] = await tx.query<{ id: string }>(
      `SELECT id FROM transfers
       WHERE org_id = $1 AND wallet_id = $2 AND to_address = $3 AND date_requested > clock_timestamp() - make_interval(mins => $4)
         AND amount_units = $5 AND asset_kind = $6 AND contract IS NOT DISTINCT FROM $7 AND token_id IS NOT DISTINCT FROM $8
         AND options ->> 'memo' IS NOT DISTINCT FROM $9 AND terms -> 'call' IS NOT DISTINCT FROM $10::jsonb
         AND state NOT IN ${FAILED_TRANSFERS} AND replacement_kind IS DISTINCT FROM 'Cancel'
       ORDER BY id LIMIT 1`,
      [
        ...[tx.orgId, walletId, toAddress, minutes, amountUnits, assetKind, contract, tokenId ?? null],
        ...[options?.memo ?? null, terms ? JSON.stringify(terms.call) : null],
      ],
    );
    return found?.id;
  },

  /** Without the lock, two concurrent equal requests would not see each other. */
  async lockWallet(tx: Tx, walletId: string): Promise<void> {
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`payments/${tx.orgId}/${walletId}`]);
  },

  /**
   * Newest first; with `after`, only older requests. Each case has its own statement, because the cached plan of a shared
   * statement would always start at the newest row.
   */
  page: (reader: Reader, { walletId, form, after }: Page, limit: number): Promise<OutgoingEntity[]> =>
    after === undefined
      ? reader.rows(OutgoingEntity, `${OF_WALLET} ORDER BY t.id DESC LIMIT $3`, [walletId, form, limit])
      : reader.rows(OutgoingEntity, `${OF_WALLET} AND t.id < $4 ORDER BY t.id DESC LIMIT $3`, [walletId, form, limit, after]),

  async lock(tx: Tx, id: string): Promise<OutgoingEntity> {
    const row = await tx.row(OutgoingEntity, 'WHERE t.org_id = $1 AND t.id = $2 FOR UPDATE', [tx.orgId, id]);
    if (!row) throw new AppError('NotFound', 'transfer not found', { transferId: id });
    return row;
  },

  /**
   * Locks the owner of the shared claims before the row. Every function that ends a row with shared claims must lock in this
   * order, or two functions could deadlock.
   */
  async lockBehindRoot(tx: Tx, id: string): Promise<OutgoingEntity> {
    const [found] = await tx.query<{ root: string | null }>(
      `SELECT claims_of AS root FROM transfers WHERE org_id = $1 AND id = $2`,
      [tx.orgId, id],
    );
    if (found && found.root !== null) await outgoingStore.lock(tx, found.root);
    return outgoingStore.lock(tx, id);
  },

  /** Includes every row that shares claims with one of these rows. The owner of the claims is locked first. */
  async lockRivals(tx: Tx, ids: readonly string[]): Promise<OutgoingEntity[]> {
    const roots = await tx.query<{ root: string }>(
      `SELECT id AS root FROM transfers
       WHERE org_id = $1 AND id IN (SELECT coalesce(claims_of, id) FROM transfers WHERE org_id = $1 AND id = ANY($2))
       ORDER BY id FOR UPDATE`,
      [tx.orgId, ids],
    );
    const sharing = 'WHERE t.org_id = $1 AND (t.id = ANY($2) OR t.claims_of = ANY($2)) ORDER BY t.id FOR UPDATE';
    return tx.rows(OutgoingEntity, sharing, [tx.orgId, roots.map(({ root }) => root)]);
  },

  /** The caller has locked the row. Throws if the transition is illegal. */
  async move(tx: Tx, row: OutgoingEntity, to: TransferState, changes: Changes = {}): Promise<OutgoingEntity> {
    assertMove(row.state, to);
    const set = { ...changes, state: to, version: row.version + 1 };
    await tx.set(OutgoingEntity, { id: row.id }, set);
    return { ...row, ...set };
  },

  /**
   * Reopens a locked row whose final result a reorganisation has undone (S14). The row gets the transaction id of its own bytes
   * again, because another transaction may have ended the row.
   */
  async reverse(tx: Tx, row: OutgoingEntity, txHash: string, reason: string | null): Promise<OutgoingEntity> {
    if (!REVERSIBLE_STATES.includes(row.state)) throw new AppError('WrongState', `A transfer that is ${row.state} has no end`);
    const set = { state: 'Broadcasted', txHash, reason, feeUnits: null, dateConfirmed: null, version: row.version + 1 } as const;
    await tx.set(OutgoingEntity, { id: row.id }, set);
    return { ...row, ...set };
  },

  /** A row that was already allowed keeps its state and gets the new judgement. */
  async approve(
    tx: Tx,
    row: OutgoingEntity,
    judgement: Pick<OutgoingEntity, 'verdictId' | 'policyEpoch' | 'datePolicyResolved'>,
  ): Promise<void> {
    if (row.state === 'Approved') await tx.set(OutgoingEntity, { id: row.id }, judgement);
    else await outgoingStore.move(tx, row, 'Approved', judgement);
  },
};
