import { AppError } from '../../domain/errors';
import { assertMove, type TransferForm, type TransferState } from '../../domain/transfers';
import type { Reader, Tx } from '../database';
import { TransferEntity } from './transfer.entity';

type Changes = Partial<
  Pick<
    TransferEntity,
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

type Page = { readonly walletId: string; readonly form: TransferForm; readonly after?: string | undefined };
const OF_WALLET = 'WHERE t.wallet_id = $1 AND t.form = $2';

export const transferStore = {
  find: (reader: Reader, id: string): Promise<TransferEntity | undefined> => reader.row(TransferEntity, 'WHERE t.id = $1', [id]),

  findByExternalId: (reader: Reader, form: TransferForm, externalId: string): Promise<TransferEntity | undefined> =>
    reader.row(TransferEntity, 'WHERE t.form = $1 AND t.external_id = $2', [form, externalId]),

  /** Newest first, behind `after` when given: two statements, because a kept plan for both would read from the newest on. */
  page: (reader: Reader, { walletId, form, after }: Page, limit: number): Promise<TransferEntity[]> =>
    after === undefined
      ? reader.rows(TransferEntity, `${OF_WALLET} ORDER BY t.id DESC LIMIT $3`, [walletId, form, limit])
      : reader.rows(TransferEntity, `${OF_WALLET} AND t.id < $4 ORDER BY t.id DESC LIMIT $3`, [walletId, form, limit, after]),

  /** The row under a lock that lasts as long as the transaction. */
  async lock(tx: Tx, id: string): Promise<TransferEntity> {
    const row = await tx.row(TransferEntity, 'WHERE t.org_id = $1 AND t.id = $2 FOR UPDATE', [tx.orgId, id]);
    if (!row) throw new AppError('NotFound', 'transfer not found', { transferId: id });
    return row;
  },

  /** Moves a locked row; throws when the move is not a legal one. Answers the row as it now stands. */
  async move(tx: Tx, row: TransferEntity, to: TransferState, changes: Changes = {}): Promise<TransferEntity> {
    assertMove(row.state, to);
    const set = { ...changes, state: to, version: row.version + 1 };
    await tx.update(TransferEntity, { id: row.id }, set);
    return { ...row, ...set };
  },

  /** Notes that policy lets a locked row pass; a row that passed before keeps its state and takes the new judgement. */
  async approve(
    tx: Tx,
    row: TransferEntity,
    judgement: Pick<TransferEntity, 'verdictId' | 'policyEpoch' | 'datePolicyResolved'>,
  ): Promise<void> {
    if (row.state === 'Approved') await tx.update(TransferEntity, { id: row.id }, judgement);
    else await transferStore.move(tx, row, 'Approved', judgement);
  },
};
