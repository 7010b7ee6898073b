import { AppError } from '../../domain/errors';
import type { SignatureRef } from '../../domain/signatures';
import type { TransferRef } from '../../domain/transfer-steps';
import type { Blocker } from '../../domain/waiting-stages';
import type { Database } from '../../entities/database';
import { type BlockedRecord, blockerStore } from '../../entities/outgoing/blocker.store';

/** Records why the step fails, because `explain` shows the reason. */
export const notingTransfer =
  <T>(db: Database, step: (ref: TransferRef) => Promise<T>) =>
  (ref: TransferRef): Promise<T> =>
    noting(db, { orgId: ref.orgId, table: 'transfers', id: ref.transferId }, () => step(ref));

export const notingSignature =
  <T>(db: Database, step: (ref: SignatureRef) => Promise<T>) =>
  (ref: SignatureRef): Promise<T> =>
    noting(db, { orgId: ref.orgId, table: 'signatures', id: ref.signatureId }, () => step(ref));

async function noting<T>(db: Database, record: BlockedRecord & { readonly orgId: string }, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    // The caller must see the step's own error, even if the error cannot be recorded.
    await db.withOrg(record.orgId, (tx) => blockerStore.note(tx, record, blockerOf(error))).catch(() => undefined);
    throw error;
  }
}

function blockerOf(error: unknown): Pick<Blocker, 'kind' | 'detail'> {
  if (!(error instanceof AppError)) return { kind: 'Retrying', detail: null };
  const { code, retryable } = error;
  if (code === 'SignerUnavailable' || code === 'NetworkUnavailable') return { kind: code, detail: null };
  return { kind: retryable ? 'Retrying' : 'StoppedForOperator', detail: code };
}
