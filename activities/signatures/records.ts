import { freezeInTheWay, reachOfKey } from '../../application/freezes/active-freezes';
import type { ApprovalEnvelope } from '../../application/policies/evaluate-activity';
import { emitSignature, tellSignatureResolved } from '../../application/signatures/events';
import { failSignature } from '../../application/signatures/fail-signature';
import { giveBackUsage } from '../../application/usage/usage';
import { invariant } from '../../domain/errors';
import { callsOn } from '../../domain/signatures';
import { keyStore } from '../../entities/keys/key.store';
import { laneStore } from '../../entities/outgoing/lane.store';
import { SignatureEntity } from '../../entities/signatures/signature.entity';
import { signatureStore } from '../../entities/signatures/signature.store';
import type { HeldRecords } from '../outgoing/held-records';

/** Everything about the request that approvers sign (S2). */
export const signatureEnvelopeOf = ({ keyId, network, payload }: SignatureEntity): ApprovalEnvelope => ({
  keyId,
  ...(network === null ? {} : { network }),
  payload: { ...payload },
});

export const signatureRecords: HeldRecords<SignatureEntity> = {
  lock: signatureStore.lock,
  async freeze(reader, { keyId, claimNetwork, payload }) {
    const key = await keyStore.find(reader, keyId);
    invariant(key, 'the row of a key is kept');
    return freezeInTheWay(reader, await reachOfKey(reader, key, claimNetwork ?? callsOn(payload)));
  },
  async grounds(_reader, row) {
    const { id: activityId, verdictId, policyEpoch, approvalId } = row;
    return { activityId, envelope: signatureEnvelopeOf(row), verdictId, policyEpoch, approvalId, repeats: null };
  },
  approve: signatureStore.approve,
  async hold(tx, row, held) {
    await signatureStore.move(tx, row, 'AwaitingApproval', { ...held, datePolicyResolved: null });
  },
  async reject(tx, row, rejected) {
    const ended = await signatureStore.move(tx, row, 'Rejected', rejected);
    await emitSignature(tx, ended);
    await tellSignatureResolved(tx, ended, 'Blocked');
    await giveBackUsage(tx, row.id);
    // Nothing was signed, so other requests may use any nonce or coin that this request had claimed.
    await laneStore.releaseSignature(tx, row.id);
  },
  async fail(tx, row, reason) {
    await failSignature(tx, row.id, [row.state], reason);
  },
  async rejudge(tx, { id }, judged) {
    await tx.update(SignatureEntity, { id }, judged);
  },
};
