import type { ApprovedGrounds } from '../../application/approvals/what-was-approved';
import type { ApprovalEnvelope } from '../../application/policies/evaluate-activity';
import { invariant } from '../../domain/errors';
import { optionsAtRequest } from '../../domain/transfers';
import type { Reader } from '../../entities/database';
import type { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import { outgoingStore } from '../../entities/outgoing/outgoing.store';

/**
 * Everything about a transfer that approvers sign (S2), taken from the transfer's current row. For a speed-up, `first` is the
 * request whose envelope the approvers signed.
 */
export function outgoingEnvelopeOf(row: OutgoingEntity, first: OutgoingEntity = row): ApprovalEnvelope {
  const sponsor = first.leavesSponsorOut ? null : row.feeSponsorId;
  const options = optionsAtRequest(row.options);
  return {
    network: row.network,
    from: row.fromAddress,
    to: row.toAddress,
    asset: row.assetKind === 'Call' ? 'call' : (row.contract ?? 'native'),
    amountUnits: row.amountUnits,
    feeCeilingUnits: row.feeCeilingUnits,
    ...(row.tokenId === null ? {} : { tokenId: row.tokenId }),
    ...(Object.keys(options).length === 0 ? {} : { options }),
    ...(row.terms === null ? {} : { terms: row.terms }),
    ...(sponsor === null ? {} : { sponsor: { id: sponsor, address: row.sponsorAddress } }),
    ...(row.travelRuleDigest === null ? {} : { travelRuleDigest: row.travelRuleDigest }),
  };
}

/**
 * Returns the first request of the payment that `row` repeats for a higher fee. Returns undefined for any other row, and for a
 * row that does not share the claims of the replaced request. Without shared claims both payments could be executed, so one
 * approval would permit two payments.
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
