import type { Approving } from '../../application/approvals/what-was-approved';
import { evaluateWalletSign } from '../../application/policies/evaluate-activity';
import { failSignature } from '../../application/signatures/fail-signature';
import { signatureView } from '../../application/signatures/view';
import { AppError, invariant } from '../../domain/errors';
import type { Judgement } from '../../domain/judgements';
import type { SignatureRef } from '../../domain/signatures';
import type { Database, Tx } from '../../entities/database';
import type { PolicyStand } from '../../entities/organizations/organization.store';
import type { SignatureEntity } from '../../entities/signatures/signature.entity';
import { signatureStore } from '../../entities/signatures/signature.store';
import type { Prices } from '../../vendors/prices/port';
import { type Causes, unprovenWords } from '../outgoing/causes';
import { judgeRecord } from '../outgoing/held-records';
import { type Moved, movedBy } from './facts';
import { signatureEnvelopeOf, signatureRecords } from './records';

/** No signature has been requested yet in these states. */
const UNSIGNED_STATES = ['Requested', 'AwaitingApproval', 'Approved'] as const;

type Dependencies = Approving & {
  readonly db: Database;
  readonly prices: Prices;
  readonly causes: Pick<Causes, 'ofSignature'>;
};

export function createSignatureJudgementActivities({ db, prices, causes, signedBodies, onAltered }: Dependencies) {
  return {
    /**
     * Judges the request for every wallet of its key (S3), and advances the request in the same transaction. A repeated run
     * returns the outcome in the row.
     */
    async evaluateSignature({ orgId, signatureId }: SignatureRef): Promise<Judgement> {
      const reader = db.read(orgId);
      const row = await signatureStore.find(reader, signatureId);
      if (!row) throw new AppError('NotFound', 'signature not found', { signatureId });
      const unproven = UNSIGNED_STATES.some((one) => one === row.state) ? await causes.ofSignature(reader, row) : undefined;
      if (unproven !== undefined) {
        const state = await db.withOrg(orgId, (tx) => failSignature(tx, signatureId, UNSIGNED_STATES, unprovenWords(unproven)));
        return state === 'Failed' || state === 'Rejected' ? { outcome: 'Ended', state } : { outcome: 'Cleared' };
      }
      const moved = await movedBy(reader, prices, row);
      return db.withOrg(orgId, (tx) =>
        judgeRecord(tx, signatureRecords, signatureId, {
          evaluate: (locked, stand) => evaluate(tx, locked, stand, moved),
          signedBodies,
          onAltered,
        }),
      );
    },

    /** Ends the request only if no signature has been requested yet. */
    async failSignature({ orgId, signatureId }: SignatureRef): Promise<'Signing' | 'Signed' | 'Failed' | 'Rejected'> {
      const reason = 'The service could not continue this request; nothing was signed';
      const state = await db.withOrg(orgId, (tx) => failSignature(tx, signatureId, UNSIGNED_STATES, reason));
      invariant(
        state === 'Signing' || state === 'Signed' || state === 'Failed' || state === 'Rejected',
        'a request that did not fail here has left the unsigned states',
      );
      return state;
    },
  };
}

function evaluate(tx: Tx, row: SignatureEntity, stand: PolicyStand, moved: Moved) {
  const { keyId, walletId, network } = row;
  return evaluateWalletSign(
    tx,
    {
      activityId: row.id,
      activityVersion: row.version,
      activity: { kind: 'Wallets:Sign', signatureRequest: signatureView(row) },
      walletId,
      keyId,
      initiatorId: row.requesterUserId,
      ...moved,
      network: network ?? '',
      envelope: signatureEnvelopeOf(row),
      isClaimed: row.state === 'Signing',
      ...(row.approvalId === null ? {} : { priorApprovalId: row.approvalId }),
    },
    stand,
  );
}
