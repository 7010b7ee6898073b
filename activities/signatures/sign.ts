import { type Approving, footingOf } from '../../application/approvals/what-was-approved';
import type { Unsigned } from '../../application/outgoing/end/fail';
import { emitSignature, tellSignatureResolved } from '../../application/signatures/events';
import { failSignature } from '../../application/signatures/fail-signature';
import { evmCodecOf, evmPayloads, solanaCodecOf, utxoCodecOf } from '../../chains/codecs';
import { invariant } from '../../domain/errors';
import type { Frozen } from '../../domain/freezes';
import {
  FILLED_NONCE_LAPSES_AFTER_MS,
  type Lapsing,
  type SignatureKind,
  type SignatureValue,
  type Unfilled,
} from '../../domain/signatures';
import type { Database, Reader, Tx } from '../../entities/database';
import { keyStore } from '../../entities/keys/key.store';
import { keyCustody } from '../../entities/keys/key-custody';
import { organizationStore } from '../../entities/organizations/organization.store';
import { laneStore } from '../../entities/outgoing/lane.store';
import type { SignatureEntity } from '../../entities/signatures/signature.entity';
import { signatureStore } from '../../entities/signatures/signature.store';
import type { PayloadSignature, SignerClient } from '../../signer/protocol';
import { askedSigner } from '../fleets/asked-signer';
import { offlineSigner } from '../fleets/offline-signer';
import { type OfflineSigning, type OrderOf, payloadSigner } from '../fleets/order-signer';
import { notingSignature } from '../outgoing/blockers';
import { type Causes, unprovenWords } from '../outgoing/causes';
import { signableNow } from '../outgoing/signable-now';
import { attestedFacts } from './attested-facts';
import { claimsOfSignature, claimWords } from './claims';
import { type Fill, payloadToSign } from './evm/filling';
import { evidenceOf } from './order-evidence';
import { lifeOfOrder } from './order-life';
import { signatureRecords } from './records';

/**
 * The recovery id in the signature of a personal message or of typed data is 27 or 28, as contracts expect. In every other
 * signature the recovery id is 0 or 1.
 */
const V_OFFSET = 27;
const PERSONAL_KINDS: readonly SignatureKind[] = ['Message', 'Eip191', 'Eip712'];

type Dependencies = Approving & {
  readonly db: Database;
  readonly signer: Pick<SignerClient, 'signPayload' | 'recordSignatures' | 'withdraw'>;
  readonly causes: Pick<Causes, 'ofSignature'>;
  /** By default, a request for an offline device waits. */
  readonly offline?: OfflineSigning;
  /** After this time the service uses up the nonce that the service chose, unless the caller has sent the transaction. */
  readonly filledNonceLapsesAfterMs?: number;
};
/** `Offline`: the request waits for an offline device. */
type Outcome = 'Signed' | 'Offline' | Lapsing | Unfilled | 'Failed' | 'Rejected' | 'PolicyChanged';

export function createSignatureSigningActivities({
  db,
  signer,
  causes,
  filledNonceLapsesAfterMs = FILLED_NONCE_LAPSES_AFTER_MS,
  offline = offlineSigner(db, signer),
  ...approving
}: Dependencies) {
  const orders = payloadSigner(signer, offline);
  return {
    /**
     * Commits `Signing` with the claims before the order is sent to the signer, and the signature before any caller can read it.
     * A repeated run gets the same signature (S5). Takes only ids and reads everything else from the rows (S1).
     */
    signPayload: notingSignature(db, async ({ orgId, signatureId }): Promise<Outcome | Frozen> => {
      const claimed = await db.withOrg(orgId, (tx) => begin(tx, signatureId, approving));
      if (claimed.state !== 'Signing') return outcomeAt(claimed);
      const end = (unsigned: Unsigned | string) =>
        db.withOrg(orgId, async (tx) =>
          outcomeAt({ ...claimed, state: await failSignature(tx, signatureId, ['Signing'], unsigned) }),
        );
      const { row: begun, stop } = await signableNow(db, signatureRecords, { orgId, id: signatureId }, approving);
      if (begun.state !== 'Signing') return outcomeAt(begun);
      if (typeof stop === 'object' && 'frozenBy' in stop) return stop;
      const reader = db.read(orgId);
      const isNeverSigned = async () => (await signer.withdraw({ requestId: signatureId, orgId })).withdrawn;
      const unproven = await causes.ofSignature(reader, begun);
      // If the signer has already signed, the row was proven before, and the signer returns the same signature.
      if (unproven !== undefined && (await isNeverSigned())) return end(unprovenWords(unproven));
      if (stop === 'PolicyChanged') return stop;
      if (stop?.isAltered) approving.onAltered?.({ orgId, id: signatureId }, stop.reason);
      if (stop && (await isNeverSigned())) return end(stop);
      // The material is also read for a key that was deleted after the request reached `Signing`.
      const [evidence, attested, custody] = await groundsOf(reader, approving, begun);
      const order: OrderOf<'signPayload'> = {
        requestId: signatureId,
        ...(begun.externalId === null ? {} : { intentId: `signature:${begun.externalId}` }),
        orgId,
        keyId: begun.keyId,
        payload: payloadToSign(begun),
        custody,
        evidence,
        policyEpoch: begun.policyEpoch ?? 0,
        ...attested,
        ...lifeOfOrder(),
      };
      const asked = await askedSigner(orders.signPayload(order));
      if ('waits' in asked) return asked.waits;
      if ('refused' in asked) return end(asked.refused);
      const result = resultOf(begun, asked.signed, custody.publicKeyHex);
      return db.withOrg(orgId, async (tx) => {
        const row = await signatureStore.lock(tx, signatureId);
        if (row.state !== 'Signing') return outcomeAt(row);
        const dateSigned = await tx.clock();
        const lapse = lapseOf(row, new Date(dateSigned.getTime() + filledNonceLapsesAfterMs));
        const ended = await signatureStore.move(tx, row, 'Signed', { ...result, ...lapse, dateSigned, reason: null });
        await emitSignature(tx, ended);
        return outcomeAt(ended);
      });
    }),
  };
}

const groundsOf = (reader: Reader, { signedBodies }: Approving, row: SignatureEntity) =>
  Promise.all([
    evidenceOf(reader, signedBodies, row, JSON.stringify(row.payload).length),
    attestedFacts(reader, row.verdictId),
    keyCustody.ofKey(reader, row.keyId),
  ]);

/** Only a nonce that the service chose lapses. A caller who specifies a nonce has a purpose for the nonce. */
const lapseOf = ({ payload, details }: SignatureEntity, at: Date): Partial<Pick<SignatureEntity, 'details'>> =>
  payload.kind === 'OpenEvmTransaction' && payload.terms.nonce === null
    ? { details: { ...details, lapsesAt: at.toISOString() } }
    : {};

function outcomeAt({ state, payload, details, claimNetwork }: SignatureEntity): Outcome {
  if (state === 'Signed' && details?.lapsesAt !== undefined && claimNetwork !== null) return { lapsesOn: claimNetwork };
  if (state === 'Signed' || state === 'Confirmed') return 'Signed';
  if (state === 'Approved' && payload.kind === 'OpenEvmTransaction') return { unfilledOn: payload.network };
  return state === 'Failed' || state === 'Rejected' ? state : 'PolicyChanged';
}

/**
 * Moves to `Signing` if the order may be sent to the signer, and returns the row in any case. Without `fill`, a transaction with
 * open fields stays `Approved`.
 */
export async function begin(
  tx: Tx,
  signatureId: string,
  { signedBodies, onAltered }: Approving,
  fill?: Fill,
): Promise<SignatureEntity> {
  const [row, stand] = await Promise.all([signatureStore.lock(tx, signatureId), organizationStore.policyStand(tx)]);
  const isOpen = row.payload.kind === 'OpenEvmTransaction';
  if (row.state !== 'Approved' || (isOpen && !fill)) return row;
  const fail = async (reason: string): Promise<SignatureEntity> => {
    await failSignature(tx, signatureId, ['Approved'], reason);
    return signatureStore.lock(tx, signatureId);
  };
  // As for transfers, this check comes before the sender's lane (the sender's queue on the network) is locked.
  const footing = await footingOf(tx, await signatureRecords.grounds(tx, row), stand, { signedBodies });
  if (typeof footing === 'object') {
    onAltered?.({ orgId: tx.orgId, id: signatureId }, footing.altered);
    return fail(footing.altered);
  }
  if (footing !== 'Sound') return row;
  const key = await keyStore.find(tx, row.keyId);
  const isTheirs = key?.delegatedTo === null || key?.delegatedTo === row.requesterUserId;
  if (key?.status !== 'Active' || key.dateExported !== null || !isTheirs) {
    return fail('The key was deleted, exported or delegated before anything was signed');
  }
  const { claimNetwork: network, fromAddress: address } = row;
  if (network !== null && address !== null) await laneStore.lock(tx, { network, address });
  const filled = fill ? await fill(tx, row) : {};
  const claims = await claimsOfSignature(tx, { ...row, ...filled });
  // If the claim of another request stops this request, `fail` also releases the claims that this request has already taken.
  const taken = network === null ? undefined : await laneStore.claimForSignature(tx, network, signatureId, claims);
  if (taken) return fail(`${claimWords(taken)} belongs to another transaction of this wallet`);
  const signing = await signatureStore.move(tx, row, 'Signing', filled);
  await tellSignatureResolved(tx, signing, 'Cleared');
  return signing;
}

/** `signedData` is a transaction or an authorization with its signature, or a proof of control (BIP322). */
function resultOf(row: SignatureEntity, { signatures, digestHex }: PayloadSignature, publicKeyHex: string) {
  const [first] = signatures;
  invariant(first, 'the signer returns a signature');
  const values = signatures.map(({ r, s, recoveryId }, index): SignatureValue => {
    // The first signature of an account's calls covers typed data. The second covers the authorization.
    const isPersonal = PERSONAL_KINDS.includes(row.kind) || (row.kind === 'SvcSmartAccountTransaction' && index === 0);
    const v = recoveryId === undefined ? '' : (recoveryId + (isPersonal ? V_OFFSET : 0)).toString(16).padStart(2, '0');
    return { r, s, ...(recoveryId === undefined ? {} : { recid: recoveryId }), encoded: `0x${r.slice(2)}${s.slice(2)}${v}` };
  });
  const { claimNetwork, fromAddress, nonce } = row;
  const payload = payloadToSign(row);
  const { r, s, recoveryId } = first;
  if (payload.kind === 'Psbt') {
    const { psbtHex, signed } = utxoCodecOf(payload.network).signPsbt(payload.bytesHex, signatures, publicKeyHex);
    if (!signed) return { signatures: values, signedData: psbtHex };
    return { signatures: values, signedData: psbtHex, txHash: signed.txHash, details: { transaction: `0x${signed.rawHex}` } };
  }
  if (payload.kind === 'Bip322') {
    const { network, messageHex, format } = payload;
    const signedData = utxoCodecOf(network).proveMessage(messageHex, format, { r, s }, publicKeyHex);
    return { signatures: values, signedData };
  }
  if (payload.kind === 'Eip7702') {
    invariant(recoveryId !== undefined, 'an EVM signature has a recovery id');
    return { signatures: values, signedData: evmPayloads.signedAuthorization(payload, { r, s, recoveryId }) };
  }
  if (payload.kind === 'SvcSmartAccountTransaction') {
    const [, second] = signatures;
    if (payload.authorization === null) return { signatures: values };
    invariant(second?.recoveryId !== undefined, 'an authorization has a signature of its own');
    const { r: ofR, s: ofS, recoveryId: ofBit } = second;
    const signed = { r: ofR, s: ofS, recoveryId: ofBit };
    return { signatures: values, signedData: evmPayloads.signedAuthorization(payload.authorization, signed) };
  }
  if (payload.kind === 'SolanaTransaction') {
    invariant(fromAddress !== null, 'a transaction has a signer');
    const whole = String(row.requestBody['transaction']);
    const { rawHex, txHash } = solanaCodecOf(payload.network).signPartial(whole, `${r}${s.slice(2)}`, fromAddress);
    return { signatures: values, signedData: rawHex, ...(txHash === undefined ? {} : { txHash }) };
  }
  if (payload.kind !== 'EvmTransaction') return { signatures: values };
  invariant(claimNetwork !== null && fromAddress !== null && nonce !== null, 'a transaction has a sender and a nonce');
  invariant(recoveryId !== undefined, 'an EVM signature has a recovery id');
  const unsigned = { bytesHex: payload.bytesHex, digestHex, nonce, maxFeeUnits: 0n };
  const { rawHex, txHash } = evmCodecOf(claimNetwork).attach(unsigned, { r, s, recoveryId }, fromAddress);
  return { signatures: values, signedData: rawHex, txHash };
}
