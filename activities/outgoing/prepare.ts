import type { Proofs } from '../../application/approvals/countable-votes';
import { type Approving, type Footing, footingOf } from '../../application/approvals/what-was-approved';
import { failTransfer } from '../../application/outgoing/end/fail';
import { tellTransferResolved } from '../../application/outgoing/events';
import type { createReaders } from '../../chains/readers';
import { AppError, invariant } from '../../domain/errors';
import type { Preparation, TransferRef } from '../../domain/transfer-steps';
import type { TransferState } from '../../domain/transfers';
import type { Database, Tx } from '../../entities/database';
import { keyStore } from '../../entities/keys/key.store';
import { organizationStore } from '../../entities/organizations/organization.store';
import { blockerStore } from '../../entities/outgoing/blocker.store';
import { laneStore } from '../../entities/outgoing/lane.store';
import { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import { outgoingStore } from '../../entities/outgoing/outgoing.store';
import { PayloadEntity } from '../../entities/outgoing/payload.entity';
import { payloadStore } from '../../entities/outgoing/payload.store';
import { signatureStore } from '../../entities/signatures/signature.store';
import { newId } from '../../platform/ids';
import { notingTransfer } from './blockers';
import type { EncryptionAccess } from './evm/encryption';
import { onceForEachFamily } from './families';
import type { BuildOutcome, BuildUnderLock } from './family-forms';
import { approvedGroundsOf } from './grounds';
import { createLaneLimiter } from './lanes/lane-limiter';

/**
 * How many transactions of one lane (the queue of one sender) are prepared at once. A transaction counts towards `inFlightMax`
 * of its lane from its claim until a block includes the transaction. If more were prepared at once, transactions that wait for
 * a signature would fill the lane.
 */
const LANE_LIMITS = { atOnceMax: 3, waitMaxMs: 5_000 };

type Dependencies = Approving & {
  readonly db: Database;
  readonly readers: ReturnType<typeof createReaders>;
  readonly encryptionAccess: EncryptionAccess;
};

export function createTransferPreparation({ db, readers, encryptionAccess, signedBodies, onAltered }: Dependencies) {
  const preparationOf = onceForEachFamily(({ prepare }) => prepare({ db, readers, encryptionAccess }));
  const replacementOf = onceForEachFamily(({ replace }) => replace({ db, readers }));

  const limited = createLaneLimiter(LANE_LIMITS);

  const quote = async (row: OutgoingEntity): Promise<BuildUnderLock> => {
    if (row.cancelsSignatureId !== null) {
      const signature = await signatureStore.find(db.read(row.orgId), row.cancelsSignatureId);
      invariant(signature, 'a cancellation names a signature that exists');
      return replacementOf(row.network).quoteAgainst(row, signature);
    }
    if (row.claimsOf === null) return preparationOf(row.network).quote(row);
    const rival = await payloadStore.of(db.read(row.orgId), row.replacesId ?? row.claimsOf);
    invariant(rival, 'a request is replaced only after its bytes were built');
    return replacementOf(row.network).quote(row, rival);
  };

  const endAltered = async ({ orgId, transferId }: TransferRef, { altered }: Altered): Promise<Preparation> => {
    onAltered?.({ orgId, id: transferId }, altered);
    return answerAt(await db.withOrg(orgId, (tx) => failTransfer(tx, transferId, ['Approved'], altered)));
  };

  return {
    /**
     * Claims the inputs, builds the bytes, compares what the decoder reads with the approved envelope and commits `Signing`.
     * All steps share one database transaction (S8). A run after the commit changes nothing.
     */
    prepareTransfer: notingTransfer(db, async ({ orgId, transferId }): Promise<Preparation> => {
      const row = await outgoingStore.find(db.read(orgId), transferId);
      if (!row) throw new AppError('NotFound', 'transfer not found', { transferId });
      if (row.state !== 'Approved') return answerAt(row.state);
      try {
        return await limited(`${row.network}:${row.laneAddress}`, async () => {
          for (;;) {
            const place = await quote(row);
            const done = await db.withOrg(orgId, (tx) => claimAndBuild(tx, transferId, place, { signedBodies }));
            if (typeof done === 'object') return endAltered({ orgId, transferId }, done);
            if (done !== 'AskAgain') return done;
          }
        });
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'TransferWouldFail') throw error;
        return answerAt(await db.withOrg(orgId, (tx) => failTransfer(tx, transferId, ['Approved'], error.message)));
      }
    }),
  };
}

/** The result for a transfer that is no longer `Approved`. */
function answerAt(state: TransferState): Preparation {
  if (state === 'Failed' || state === 'Rejected') return 'Failed';
  return state === 'Requested' || state === 'AwaitingApproval' ? 'PolicyChanged' : 'Ready';
}

type Altered = Extract<Footing, object>;

async function claimAndBuild(
  tx: Tx,
  transferId: string,
  place: BuildUnderLock,
  proofs: Proofs,
): Promise<Preparation | 'AskAgain' | Altered> {
  // The policies are locked before the lanes, because a transaction that holds lanes must never wait for a policy change.
  const [row, stand] = await Promise.all([outgoingStore.lock(tx, transferId), organizationStore.policyStand(tx)]);
  if (row.state !== 'Approved') return answerAt(row.state);
  const footing = await footingOf(tx, await approvedGroundsOf(tx, row), stand, proofs);
  if (typeof footing === 'object') return footing;
  if (footing !== 'Sound') return 'PolicyChanged';
  // A sponsored transfer also locks the wallet's own lane, because the transfer uses funds and perhaps a nonce of the wallet.
  // All code locks lanes in sorted order, so no two transactions deadlock.
  const lanes = [...new Set([row.laneAddress, row.fromAddress])].sort();
  await Promise.all([
    ...lanes.map((address) => laneStore.lock(tx, { network: row.network, address })),
    assertKeyMaySign(tx, row),
  ]);
  const placed = await place(tx, row);
  if (placed.kind === 'AskAgain') return 'AskAgain';
  const blocked = { table: 'transfers', id: row.id } as const;
  if (placed.kind === 'FeeAboveCeiling') {
    await blockerStore.note(tx, blocked, { kind: 'FeesAboveCeiling', detail: null });
    return 'FeeAboveCeiling';
  }
  if (placed.kind === 'Waits') {
    if (placed.queued && row.waitingSince === null)
      await tx.update(OutgoingEntity, { id: row.id }, { waitingSince: await tx.clock() });
    await blockerStore.note(tx, blocked, { kind: 'LaneTurn', detail: placed.detail });
    return 'Waiting';
  }
  await commit(tx, row, placed);
  return 'Ready';
}

async function commit(tx: Tx, row: OutgoingEntity, built: Extract<BuildOutcome, { kind: 'Built' }>): Promise<void> {
  const { unsigned, nonce, claims, context, operationHash = null, noted = {}, after } = built;
  if (row.cancelsSignatureId !== null) await laneStore.takeOver(tx, row);
  for (const claim of claims) await laneStore.claim(tx, row, claim);
  await tx.insert(PayloadEntity, {
    orgId: tx.orgId,
    id: newId('payload'),
    transferId: row.id,
    network: row.network,
    fromAddress: row.laneAddress,
    nonce,
    context,
    operationHash,
    unsignedHex: unsigned.bytesHex,
    digestHex: unsigned.digestHex,
    maxFeeUnits: unsigned.maxFeeUnits.toString(),
    state: 'Built',
  });
  const options = Object.keys(noted).length === 0 ? {} : { options: { ...row.options, ...noted } };
  await tellTransferResolved(tx, await outgoingStore.move(tx, row, 'Signing', { waitingSince: null, ...options }), 'Cleared');
  await after?.(tx);
}

/** Throws if the key was deleted, exported or delegated to another user after the request was made. */
async function assertKeyMaySign(tx: Tx, { walletId, requesterUserId }: OutgoingEntity): Promise<void> {
  const key = await keyStore.ofWallet(tx, walletId);
  const isTheirs = key?.delegatedTo === null || key?.delegatedTo === requesterUserId;
  if (key?.status === 'Active' && key.dateExported === null && isTheirs) return;
  throw new AppError('TransferWouldFail', 'The key of the wallet was deleted, exported or delegated before anything was signed');
}
