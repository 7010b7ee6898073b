import type { Envelope } from '../application/evaluate-activity';
import { failSignature } from '../application/signature-ends';
import { emitSignature, tellSignatureResolved } from '../application/signature-events';
import { reachOfKey } from '../application/standing-freezes';
import { giveBackUsage } from '../application/usage';
import { invariant } from '../domain/errors';
import { keyStore } from '../entities/keys/key.store';
import { SignatureEntity } from '../entities/signatures/signature.entity';
import { signatureStore } from '../entities/signatures/signature.store';
import { laneStore } from '../entities/transfers/lane.store';
import type { HeldRecords } from './held-records';

/** What the signer is asked to sign, word for word: an approval of it is good for nothing else (S2). */
export const envelopeOf = ({ keyId, network, payload }: SignatureEntity): Envelope => ({
  keyId,
  ...(network === null ? {} : { network }),
  payload: { ...payload },
});

/** Signature requests, as policies and people decide about them. */
export const signatureRecords: HeldRecords<SignatureEntity> = {
  lock: signatureStore.lock,
  async reach(reader, { keyId, claimNetwork }) {
    const key = await keyStore.find(reader, keyId);
    invariant(key, 'the key of a signature stays');
    return reachOfKey(reader, key, claimNetwork);
  },
  async grounds(_reader, row) {
    const { id: activityId, verdictId, policyEpoch, approvalId } = row;
    return { activityId, envelope: envelopeOf(row), verdictId, policyEpoch, approvalId, repeats: null };
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
    // Nothing of it was signed, so whatever nonce or coin it had claimed by then is the next request's.
    await laneStore.releaseSignature(tx, row.id);
  },
  async fail(tx, row, reason) {
    await failSignature(tx, row.id, [row.state], reason);
  },
  async rejudge(tx, { id }, judged) {
    await tx.update(SignatureEntity, { id }, judged);
  },
};
