import type { Envelope } from '../application/evaluate-activity';
import type { Grounds } from '../application/what-was-approved';
import { invariant } from '../domain/errors';
import type { Reader } from '../entities/database';
import type { TransferEntity } from '../entities/transfers/transfer.entity';
import { transferStore } from '../entities/transfers/transfer.store';

/** Everything of a transfer that approvers sign (S2), as its row says it now. */
export function envelopeOf(row: TransferEntity): Envelope {
  // The currency of the fee is chosen when the bytes are built, below the ceiling that was approved.
  const { feeCurrency: _chosenLater, ...options } = row.options;
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
    ...(row.travelRuleDigest === null ? {} : { travelRuleDigest: row.travelRuleDigest }),
  };
}

/**
 * The first request of the payment that a row makes again for a higher fee; undefined for every other row, and for one that does not share the
 * claims of what it names: both would be carried out, the second on the approval of the first.
 */
export async function repeatedBy(reader: Reader, row: TransferEntity): Promise<TransferEntity | undefined> {
  if (row.replacementKind !== 'SpeedUp' || row.replacesId === null) return undefined;
  const replaced = await transferStore.find(reader, row.replacesId);
  invariant(replaced, 'what is sped up stays');
  if (row.claimsOf !== (replaced.claimsOf ?? replaced.id)) return undefined;
  return (await repeatedBy(reader, replaced)) ?? replaced;
}

export async function groundsOf(reader: Reader, row: TransferEntity): Promise<Grounds> {
  const { id: activityId, verdictId, policyEpoch, approvalId } = row;
  const first = await repeatedBy(reader, row);
  const repeats = first ? { activityId: first.id, approvalId: first.approvalId } : null;
  return { activityId, envelope: envelopeOf(row), verdictId, policyEpoch, approvalId, repeats };
}
