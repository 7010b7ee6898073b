import { optionsAtRequest } from '../../domain/transfers';
import type { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import type { ApprovalEnvelope } from '../policies/evaluate-activity';

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
