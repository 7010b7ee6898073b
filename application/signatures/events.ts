import type { EventKind } from '../../domain/events';
import type { SignatureState } from '../../domain/signatures';
import type { Tx } from '../../entities/database';
import { eventStore } from '../../entities/events/event.store';
import type { SignatureEntity } from '../../entities/signatures/signature.entity';
import { tellActivityResolved } from '../policies/events';
import { signatureView } from './view';

const KIND_OF: Partial<Record<SignatureState, EventKind>> = {
  Requested: 'wallet.signature.requested',
  Signed: 'wallet.signature.signed',
  Confirmed: 'wallet.signature.confirmed',
  Failed: 'wallet.signature.failed',
  Rejected: 'wallet.signature.rejected',
};

/** Does nothing unless a policy had held or blocked the signature request. */
export async function tellSignatureResolved(tx: Tx, row: SignatureEntity, status: 'Cleared' | 'Blocked'): Promise<void> {
  if (status === 'Cleared' && row.approvalId === null) return;
  await tellActivityResolved(tx, status, row, { kind: 'Wallets:Sign', signatureRequest: signatureView(row) });
}

export async function emitSignature(tx: Tx, row: SignatureEntity, kind = KIND_OF[row.state]): Promise<void> {
  if (!kind) return;
  const data = { signatureRequest: signatureView(row) };
  await eventStore.emit(tx, { kind, aggregateId: row.id, aggregateVersion: row.version, data });
}
