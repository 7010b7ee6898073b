import { STATUS_OF } from '../../domain/transfers';
import type { Reader } from '../../entities/database';
import type { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import type { SecretBox } from '../../platform/secret-box';
import { outgoingEnvelopeOf } from '../outgoing/outgoing-envelope';
import { signedGrounds } from './signed-grounds';

/**
 * The current content of the transfer and the content that people signed. A tool outside the service compares the two contents
 * (S2).
 */
export async function transferEvidence(reader: Reader, signedBodies: SecretBox, row: OutgoingEntity) {
  const { orgId, id, walletId, state, txHash, userActionId, approvalId } = row;
  const evidence = userActionId === null ? [] : await signedGrounds(reader, signedBodies, { userActionId, approvalId });
  return {
    organizationId: orgId,
    walletId,
    transferId: id,
    status: STATUS_OF[state],
    txHash,
    content: outgoingEnvelopeOf(row),
    evidence,
  };
}
