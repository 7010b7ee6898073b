import type { Approving } from '../../application/approvals/what-was-approved';
import { ABORTED, failTransfer, type Unsigned } from '../../application/outgoing/end/fail';
import type { SignedTx } from '../../chains/types';
import { AppError, invariant } from '../../domain/errors';
import type { Frozen } from '../../domain/freezes';
import type { TransferState } from '../../domain/transfers';
import type { Database, Reader } from '../../entities/database';
import { keyStore } from '../../entities/keys/key.store';
import type { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import { outgoingStore } from '../../entities/outgoing/outgoing.store';
import { payloadStore } from '../../entities/outgoing/payload.store';
import type { FamilyOp, SignerClient } from '../../signer/protocol';
import { evidenceOf } from '../signatures/order-evidence';
import { notingTransfer } from './blockers';
import { type Causes, unprovenWords } from './causes';
import { onceForEachFamily } from './families';
import { transferRecords } from './records';
import { signableNow } from './signable-now';

/** An order that the signer gets later than this is stale; asking again makes a fresh one for the same payload. */
const ORDER_LIFE_MS = 60_000;

/** An external id counts per form, for the signer too. */
const INTENTS = { Transfer: 'transfer', Transaction: 'transaction' } as const;

type Dependencies = Approving & {
  readonly db: Database;
  readonly signer: Pick<SignerClient, FamilyOp | 'withdraw'>;
  readonly causes: Pick<Causes, 'ofTransfer'>;
};
/** `Signed` also where another attempt was faster and the chain decides. */
type Signing = 'Signed' | 'Refused' | 'Rejected' | 'PolicyChanged';

/** Activities of the `signer` queue. */
export function createSigningActivities({ db, signer, causes, signedBodies, onAltered }: Dependencies) {
  const signingOf = onceForEachFamily(({ sign }) => sign(signer, db));

  return {
    /**
     * Has the prepared bytes signed and commits signed bytes and transaction id before anybody can send them. Takes ids
     * only and reads everything else from the rows (S1). Run again it gets the same signature (S5).
     * What somebody asked to abort ends here if the signer promises never to sign it, and goes on if it has (S5); likewise what is not what
     * was approved, and what policies have stopped since it was built. `PolicyChanged` has it judged with its claims kept.
     * What is frozen is not signed, and goes on when the freeze that is answered is released.
     */
    signTransfer: notingTransfer(db, async ({ orgId, transferId }): Promise<Signing | Frozen> => {
      const reader = db.read(orgId);
      const [found, payload] = await Promise.all([outgoingStore.find(reader, transferId), payloadStore.of(reader, transferId)]);
      if (found?.state !== 'Signing') return outcomeAt(found?.state);
      const end = (unsigned: Unsigned | string) =>
        db.withOrg(orgId, async (tx) => outcomeAt(await failTransfer(tx, transferId, ['Signing'], unsigned)));
      const isNeverSigned = async () => (await signer.withdraw({ requestId: transferId, orgId })).withdrawn;
      if (found.abortAsked !== null && (await isNeverSigned())) return end(ABORTED);
      const { row, stop } = await signableNow(db, transferRecords, { orgId, id: transferId }, { signedBodies });
      if (row.state !== 'Signing') return outcomeAt(row.state);
      if (typeof stop === 'object' && 'frozenBy' in stop) return stop;
      // Asked for at once, so that all of it is one message to the database. Also of a key that was deleted since: the nonce is claimed, and
      // without its transaction every later one would wait for ever.
      const given = Promise.all([keyStore.materialOfWallet(reader, row.walletId), groundsOf(reader, row)]);
      given.catch(() => undefined); // met below, by what goes on
      const unproven = await causes.ofTransfer(reader, row);
      // If the signer has signed already, it was over a row that was proven then, and the answer is the same signature.
      if (unproven !== undefined && (await isNeverSigned())) return end(unprovenWords(unproven));
      if (stop === 'PolicyChanged') return stop;
      if (stop?.isAltered) onAltered?.({ orgId, id: transferId }, stop.reason);
      if (stop && (await isNeverSigned())) return end(stop);
      invariant(payload, `the payload of ${transferId} is there`);
      const [material, grounds] = await given;
      const now = Date.now();
      const order = {
        requestId: transferId,
        ...replacedBy(row),
        ...(row.externalId === null ? {} : { intentId: `${INTENTS[row.form]}:${row.externalId}` }),
        orgId,
        keyId: material.sealed.keyId,
        network: row.network,
        feeCeilingUnits: row.feeCeilingUnits,
        bytesHex: payload.unsignedHex,
        ...material,
        ...grounds,
        issuedAt: new Date(now).toISOString(),
        notAfter: new Date(now + ORDER_LIFE_MS).toISOString(),
      };
      let signed: SignedTx;
      try {
        signed = await signingOf(row.network).sign(row, payload, order);
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'SignerRefused') throw error;
        // When the signer may have signed something of this kind before, the nonce must never be given to another payload.
        if (error.details['nothingSigned'] !== true) throw error;
        return end(error.message);
      }

      const { rawHex, txHash } = signed;
      await db.withOrg(orgId, async (tx) => {
        const locked = await outgoingStore.lock(tx, transferId);
        if (locked.state !== 'Signing') return;
        await payloadStore.signed(tx, payload.id, rawHex, txHash);
        await outgoingStore.move(tx, locked, 'Signed', { txHash, reason: null });
      });
      return 'Signed';
    }),
  };
}

function outcomeAt(state: TransferState | undefined): Signing {
  if (state === 'Rejected') return state;
  return state === 'Failed' ? 'Refused' : 'Signed';
}

/** Under which id the signer knows what competes for the same claims. */
function replacedBy({ claimsOf, replacesId, cancelsSignatureId }: OutgoingEntity): { readonly replaces?: string } {
  if (cancelsSignatureId !== null) return { replaces: cancelsSignatureId };
  return claimsOf === null || replacesId === null ? {} : { replaces: replacesId };
}

/** What the order is given on: who asked and who approved, each as signed (S2), and under which policies (S9). */
async function groundsOf(reader: Reader, { userActionId, approvalId, policyEpoch }: OutgoingEntity) {
  return {
    ...(userActionId === null ? {} : { evidence: await evidenceOf(reader, { userActionId, approvalId }) }),
    ...(policyEpoch === null ? {} : { policyEpoch }),
  };
}
