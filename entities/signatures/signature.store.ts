import { AppError } from '../../domain/errors';
import { assertSignatureMove, type SignatureState } from '../../domain/signatures';
import type { Reader, Tx } from '../database';
import { SignatureEntity } from './signature.entity';

type Changes = Partial<
  Pick<
    SignatureEntity,
    | 'reason'
    | 'signatures'
    | 'signedData'
    | 'details'
    | 'txHash'
    | 'approvalId'
    | 'verdictId'
    | 'policyEpoch'
    | 'datePolicyResolved'
    | 'dateSigned'
    | 'dateConfirmed'
    | 'feeUnits'
    | 'filledHex'
    | 'nonce'
    | 'nativeUnits'
    | 'tokenUnits'
  >
>;

export type SignaturesOf = { readonly keyId: string } | { readonly walletId: string };

export const signatureStore = {
  find: (reader: Reader, id: string): Promise<SignatureEntity | undefined> =>
    reader.row(SignatureEntity, 'WHERE t.id = $1', [id]),

  findByExternalId: (reader: Reader, externalId: string): Promise<SignatureEntity | undefined> =>
    reader.row(SignatureEntity, 'WHERE t.external_id = $1', [externalId]),

  /**
   * Newest first; with `after`, only older requests. Each case has its own statement, because the cached plan of a shared
   * statement would always start at the newest row.
   */
  page(reader: Reader, of: SignaturesOf, after: string | undefined, limit: number): Promise<SignatureEntity[]> {
    const [column, id] = 'keyId' in of ? ['key_id', of.keyId] : ['wallet_id', of.walletId];
    return after === undefined
      ? reader.rows(SignatureEntity, `WHERE t.${column} = $1 ORDER BY t.id DESC LIMIT $2`, [id, limit])
      : reader.rows(SignatureEntity, `WHERE t.${column} = $1 AND t.id < $3 ORDER BY t.id DESC LIMIT $2`, [id, limit, after]);
  },

  async lock(tx: Tx, id: string): Promise<SignatureEntity> {
    const row = await tx.row(SignatureEntity, 'WHERE t.org_id = $1 AND t.id = $2 FOR UPDATE', [tx.orgId, id]);
    if (!row) throw new AppError('NotFound', 'signature not found', { signatureId: id });
    return row;
  },

  /** The caller has locked the row. Throws if the transition is illegal. */
  async move(tx: Tx, row: SignatureEntity, to: SignatureState, changes: Changes = {}): Promise<SignatureEntity> {
    assertSignatureMove(row.state, to);
    const set = { ...changes, state: to, version: row.version + 1 };
    await tx.update(SignatureEntity, { id: row.id }, set);
    return { ...row, ...set };
  },

  /** Locks the requests in this state whose signed transaction is one of these, in the order of the request ids. */
  lockSent: (tx: Tx, network: string, state: 'Signed' | 'Confirmed', txHashes: readonly string[]): Promise<SignatureEntity[]> =>
    tx.rows(
      SignatureEntity,
      `WHERE t.org_id = $1 AND t.tx_hash = ANY ($2) AND t.claim_network = $3 AND t.state = $4 ORDER BY t.id FOR UPDATE`,
      [tx.orgId, txHashes, network, state],
    ),

  /**
   * The caller has locked the confirmed row. Only a reorganisation leads from `Confirmed` back to `Signed`, so the table of moves
   * does not contain this move.
   */
  async reopen(tx: Tx, row: SignatureEntity): Promise<SignatureEntity> {
    const set = { state: 'Signed', feeUnits: null, dateConfirmed: null, reason: null, version: row.version + 1 } as const;
    await tx.update(SignatureEntity, { id: row.id, state: 'Confirmed' }, set);
    return { ...row, ...set };
  },

  /** A row that was already allowed keeps its state and gets the new judgement. */
  async approve(
    tx: Tx,
    row: SignatureEntity,
    judgement: Pick<SignatureEntity, 'verdictId' | 'policyEpoch' | 'datePolicyResolved'>,
  ): Promise<void> {
    if (row.state === 'Approved') await tx.update(SignatureEntity, { id: row.id }, judgement);
    else await signatureStore.move(tx, row, 'Approved', judgement);
  },
};
