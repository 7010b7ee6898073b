import type { Approving } from '../../application/approvals/what-was-approved';
import { ABORTED, failTransfer, type Unsigned } from '../../application/outgoing/end/fail';
import { invariant } from '../../domain/errors';
import type { Frozen } from '../../domain/freezes';
import type { TransferState } from '../../domain/transfers';
import type { Database, Reader } from '../../entities/database';
import { keyCustody } from '../../entities/keys/key-custody';
import type { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import { outgoingStore } from '../../entities/outgoing/outgoing.store';
import { payloadStore } from '../../entities/outgoing/payload.store';
import type { SecretBox } from '../../platform/secret-box';
import type { FamilyOp, SignerClient } from '../../signer/protocol';
import { askedSigner } from '../fleets/asked-signer';
import { offlineSigner } from '../fleets/offline-signer';
import { type OfflineSigning, orderSigner } from '../fleets/order-signer';
import { attestedFacts } from '../signatures/attested-facts';
import { evidenceOf } from '../signatures/order-evidence';
import { lifeOfOrder } from '../signatures/order-life';
import { notingTransfer } from './blockers';
import { type Causes, unprovenWords } from './causes';
import { onceForEachFamily } from './families';
import { transferRecords } from './records';
import { signableNow } from './signable-now';

/** An external id is unique only within one form, so the signer's intent id contains the form too. */
const INTENTS = { Transfer: 'transfer', Transaction: 'transaction' } as const;

type Dependencies = Approving & {
  readonly db: Database;
  readonly signer: Pick<SignerClient, FamilyOp | 'recordSignatures' | 'withdraw'>;
  readonly causes: Pick<Causes, 'ofTransfer'>;
  /** By default, a request for an offline device waits. */
  readonly offline?: OfflineSigning;
};
/** `Signed` also covers a transfer that an earlier attempt has signed. `Offline`: the transfer waits for an offline device. */
type Signing = 'Signed' | 'Offline' | 'Refused' | 'Rejected' | 'PolicyChanged';

export function createSigningActivities({ db, signer, causes, signedBodies, onAltered, offline }: Dependencies) {
  const orders = orderSigner(signer, offline ?? offlineSigner(db, signer));
  const signingOf = onceForEachFamily(({ sign }) => sign(orders, db));

  return {
    /**
     * Commits signed bytes and transaction id before anything can be sent. Takes only ids and reads everything else from the
     * rows (S1). A repeated run gets the same signature (S5). Ends an aborted, unproven, altered or stopped transfer only after
     * the signer has promised never to sign the transfer. A transfer that the signer has signed continues (S5). `PolicyChanged`
     * requests another judgement and keeps the claims. Returns the freeze of a frozen transfer.
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
      // The two queries start together and reach the database in one message. A key that was deleted meanwhile still signs,
      // because later transactions wait for the nonce that this transaction has claimed.
      const given = Promise.all([keyCustody.ofWallet(reader, row.walletId), groundsOf(reader, signedBodies, row, payload)]);
      given.catch(() => undefined); // the code below awaits `given`
      const unproven = await causes.ofTransfer(reader, row);
      // If the signer has already signed, the row was proven before, and the signer returns the same signature.
      if (unproven !== undefined && (await isNeverSigned())) return end(unprovenWords(unproven));
      if (stop === 'PolicyChanged') return stop;
      if (stop?.isAltered) onAltered?.({ orgId, id: transferId }, stop.reason);
      if (stop && (await isNeverSigned())) return end(stop);
      invariant(payload, `the payload of ${transferId} exists`);
      const [custody, grounds] = await given;
      const order = {
        requestId: transferId,
        ...replacedBy(row),
        ...(row.externalId === null ? {} : { intentId: `${INTENTS[row.form]}:${row.externalId}` }),
        orgId,
        keyId: custody.keyId,
        network: row.network,
        feeCeilingUnits: row.feeCeilingUnits,
        bytesHex: payload.unsignedHex,
        custody,
        ...grounds,
        ...lifeOfOrder(),
      };
      const asked = await askedSigner(signingOf(row.network).sign(row, payload, order));
      if ('waits' in asked) return asked.waits;
      if ('refused' in asked) return end(asked.refused);
      const { rawHex, txHash } = asked.signed;
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

/** Identifies the request or signature that this request replaces or cancels by using the same claims. */
function replacedBy({ claimsOf, replacesId, cancelsSignatureId }: OutgoingEntity): { readonly replaces?: string } {
  if (cancelsSignatureId !== null) return { replaces: cancelsSignatureId };
  return claimsOf === null || replacesId === null ? {} : { replaces: replacesId };
}

type Content = { readonly unsignedHex: string } | undefined;

/** The signed request, the signed approvals (S2), and the epoch and the facts of the judgement (S9). */
async function groundsOf(
  reader: Reader,
  signedBodies: SecretBox,
  { userActionId, approvalId, policyEpoch, verdictId }: OutgoingEntity,
  payload: Content,
) {
  const [evidence, attested] = await Promise.all([
    userActionId === null
      ? undefined
      : evidenceOf(reader, signedBodies, { userActionId, approvalId }, payload?.unsignedHex.length),
    attestedFacts(reader, verdictId),
  ]);
  return { ...(evidence ? { evidence } : {}), ...(policyEpoch === null ? {} : { policyEpoch }), ...attested };
}
