import type { ApprovedGrounds } from '../../application/approvals/what-was-approved';
import { outgoingEnvelopeOf } from '../../application/outgoing/outgoing-envelope';
import { invariant } from '../../domain/errors';
import type { Reader } from '../../entities/database';
import type { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import { outgoingStore } from '../../entities/outgoing/outgoing.store';

/**
 * Returns the first request of the payment that `row` repeats for a higher fee. Returns undefined for any other row, and for a
 * row that does not share the claims of the replaced request. Without shared claims both payments could be executed, and one
 * approval would then permit two payments.
 */
export async function repeatedBy(reader: Reader, row: OutgoingEntity): Promise<OutgoingEntity | undefined> {
  if (row.replacementKind !== 'SpeedUp' || row.replacesId === null) return undefined;
  const replaced = await outgoingStore.find(reader, row.replacesId);
  invariant(replaced, 'the row of a request is kept');
  if (row.claimsOf !== (replaced.claimsOf ?? replaced.id)) return undefined;
  return (await repeatedBy(reader, replaced)) ?? replaced;
}

export async function approvedGroundsOf(reader: Reader, row: OutgoingEntity): Promise<ApprovedGrounds> {
  const { id: activityId, verdictId, policyEpoch, approvalId } = row;
  const first = await repeatedBy(reader, row);
  const repeats = first ? { activityId: first.id, approvalId: first.approvalId } : null;
  return { activityId, envelope: outgoingEnvelopeOf(row, first), verdictId, policyEpoch, approvalId, repeats };
}
