import { failSignature } from '../application/signature-ends';
import { emitSignature, tellSignatureResolved } from '../application/signature-events';
import { evmCodecOf, evmPayloads, solanaCodecOf, utxoCodecOf } from '../chains/codecs';
import { AppError, invariant } from '../domain/errors';
import type { Frozen } from '../domain/freezes';
import type { SignatureState, SignatureValue } from '../domain/signatures';
import type { Database, Tx } from '../entities/database';
import { keyStore } from '../entities/keys/key.store';
import { OrganizationEntity } from '../entities/organizations/organization.entity';
import type { SignatureEntity } from '../entities/signatures/signature.entity';
import { signatureStore } from '../entities/signatures/signature.store';
import { laneStore } from '../entities/transfers/lane.store';
import type { PayloadSignature, SignerClient, SignPayloadOrder } from '../signer/protocol';
import { type Causes, unprovenWords } from './causes';
import { frozenBefore } from './frozen-steps';
import { notingSignature } from './hindrances';
import { claimsOfSignature, wordsOf } from './signature-claims';
import { evidenceOf } from './signature-evidence';
import { signatureRecords } from './signature-records';

/** An order that the signer gets later than this is stale; asking again makes a fresh one for the same payload. */
const ORDER_LIFE_MS = 60_000;
/** Personal messages and typed data carry the recovery id as contracts expect it (`v` of 27 or 28), everything else as 0 or 1. */
const V_OFFSET = 27;

type Dependencies = {
  readonly db: Database;
  readonly signer: Pick<SignerClient, 'signPayload' | 'withdraw'>;
  readonly causes: Pick<Causes, 'ofSignature'>;
};
type Outcome = 'Signed' | 'Failed' | 'Rejected' | 'PolicyChanged';

/** Activities of the `signer` queue that sign what a key is asked to. */
export function createSignatureSigningActivities({ db, signer, causes }: Dependencies) {
  return {
    /**
     * Commits `Signing` with the nonce that a transaction claims, has the payload signed, and stores the signature before anybody
     * can read it. Run again it finds its own work and gets the same signature (S5). Takes ids alone and reads everything else from the rows (S1).
     */
    signPayload: notingSignature(db, async ({ orgId, signatureId }): Promise<Outcome | Frozen> => {
      const begun = await db.withOrg(orgId, (tx) => begin(tx, signatureId));
      if (begun.state !== 'Signing') return outcomeAt(begun.state);
      const frozen = await frozenBefore(db, orgId, signatureRecords, begun);
      if (frozen) return frozen;
      const reader = db.read(orgId);
      const unproven = await causes.ofSignature(reader, begun);
      // If the signer has signed already, it was over a row that was proven then, and the answer is the same signature.
      if (unproven !== undefined && (await signer.withdraw({ requestId: signatureId, orgId })).withdrawn)
        return outcomeAt(await db.withOrg(orgId, (tx) => failSignature(tx, signatureId, ['Signing'], unprovenWords(unproven))));
      // Also of a key that was deleted since it was looked at, when the request began to be signed.
      const [evidence, rows] = await Promise.all([evidenceOf(reader, begun), keyStore.material(reader, begun.keyId)]);
      const now = Date.now();
      const order: SignPayloadOrder = {
        requestId: signatureId,
        ...(begun.externalId === null ? {} : { intentId: `signature:${begun.externalId}` }),
        orgId,
        keyId: begun.keyId,
        payload: begun.payload,
        ...rows,
        evidence,
        policyEpoch: begun.policyEpoch ?? 0,
        issuedAt: new Date(now).toISOString(),
        notAfter: new Date(now + ORDER_LIFE_MS).toISOString(),
      };
      let signed: PayloadSignature;
      try {
        signed = await signer.signPayload(order);
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'SignerRefused') throw error;
        // When the signer may have signed something of this kind before, the nonce must never be given to another payload.
        if (error.details['nothingSigned'] !== true) throw error;
        return outcomeAt(await db.withOrg(orgId, (tx) => failSignature(tx, signatureId, ['Signing'], error.message)));
      }
      const result = resultOf(begun, signed, rows.sealed.publicKeyHex);
      await db.withOrg(orgId, async (tx) => {
        const row = await signatureStore.lock(tx, signatureId);
        if (row.state !== 'Signing') return;
        const dateSigned = await tx.clock();
        await emitSignature(tx, await signatureStore.move(tx, row, 'Signed', { ...result, dateSigned }));
      });
      return 'Signed';
    }),
  };
}

function outcomeAt(state: SignatureState): Outcome {
  if (state === 'Signed' || state === 'Confirmed') return 'Signed';
  return state === 'Failed' || state === 'Rejected' ? state : 'PolicyChanged';
}

/** The row as it stands, `Signing` when it may go to the signer. */
async function begin(tx: Tx, signatureId: string): Promise<SignatureEntity> {
  const row = await signatureStore.lock(tx, signatureId);
  if (row.state !== 'Approved') return row;
  const fail = async (reason: string): Promise<SignatureEntity> => {
    await failSignature(tx, signatureId, ['Approved'], reason);
    return signatureStore.lock(tx, signatureId);
  };
  const key = await keyStore.find(tx, row.keyId);
  const isTheirs = key?.delegatedTo === null || key?.delegatedTo === row.requesterUserId;
  if (key?.status !== 'Active' || key.dateExported !== null || !isTheirs) {
    return fail('The key was deleted, exported or delegated before anything was signed');
  }
  const { claimNetwork: network, fromAddress: address } = row;
  if (network !== null && address !== null) await laneStore.lock(tx, { network, address });
  // Behind the lock, for which a busy lane may let us wait while the policies are tightened.
  const organization = await tx.row(OrganizationEntity, 'WHERE t.id = $1', [tx.orgId]);
  if (organization?.policyEpoch !== row.policyEpoch) return row;
  // What was claimed before the one that is taken is given back by the end of the request.
  const taken =
    network === null ? undefined : await laneStore.claimForSignature(tx, network, signatureId, await claimsOfSignature(tx, row));
  if (taken) return fail(`${wordsOf(taken)} belongs to another transaction of this wallet`);
  const signing = await signatureStore.move(tx, row, 'Signing');
  await tellSignatureResolved(tx, signing, 'Cleared');
  return signing;
}

/** What the interface answers of a signature: a transaction comes back with it in place, and so does an authorization. */
function resultOf(row: SignatureEntity, { signatures, digestHex }: PayloadSignature, publicKeyHex: string) {
  const [first] = signatures;
  invariant(first, 'the signer answers a signature');
  const values = signatures.map(({ r, s, recoveryId }): SignatureValue => {
    const isPersonal = row.kind === 'Message' || row.kind === 'Eip191' || row.kind === 'Eip712';
    const v = recoveryId === undefined ? '' : (recoveryId + (isPersonal ? V_OFFSET : 0)).toString(16).padStart(2, '0');
    return { r, s, ...(recoveryId === undefined ? {} : { recid: recoveryId }), encoded: `0x${r.slice(2)}${s.slice(2)}${v}` };
  });
  const { payload, claimNetwork, fromAddress, nonce } = row;
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
