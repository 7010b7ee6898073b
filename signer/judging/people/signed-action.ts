import { z } from 'zod';
import { ACTION_LIFE_MS_MAX } from '../../../domain/anchors';
import type { CharterOperation } from '../../../domain/charters';
import { challengeOf, NONCE_BYTES } from '../../../platform/action-challenge';
import { sha256Hex } from '../../../platform/digests';
import { isRecordedByKey } from '../../../platform/key-assertions';
import { isSeenAssertion } from '../../../platform/seen-assertions';
import { parseStrictJson } from '../../../platform/strict-json';
import type { CharterCredential, CharterMember } from '../../charters/charter';
import type { CharterInForce } from '../../charters/charter-in-force';
import type { Evidence } from '../../record/evidence';
import { Refusal, refuseUnless } from '../../wire/refusal';
import { CLOCK_DRIFT_MS_MAX } from '../order-checks';
import { anchoredAtMs, assertNotOlder, type Judging } from './action-age';
import { isPasskeyAnswer } from './passkey-assertion';

export type ActionEvidence = Extract<Evidence, { readonly kind: 'Initiator' | 'Approver' }>;
export type AssertedAction = {
  readonly member: CharterMember;
  readonly method: string;
  readonly path: string;
  /** The exact text of the body. */
  readonly body: string;
  readonly approvalDigest: string | null;
  /** Identifies the action: the digest of the signed challenge. */
  readonly digest: string;
  /** The credentials whose signatures verified. */
  readonly signedWith: readonly CharterCredential[];
  /** Why the action is not accepted for this operation; undefined if the action is accepted. */
  readonly refusalFor: (operation: CharterOperation) => 'NotPermitted' | 'NotSeen' | undefined;
};
/** Throws a `Refusal` if the action is not accepted for the operation. */
export function assertCounts({ refusalFor }: AssertedAction, operation: CharterOperation): void {
  const reason = refusalFor(operation);
  if (reason !== undefined) throw new Refusal(reason);
}

/** The action was announced at `anchoredAtMs` or later, by the signer's clock. */
export type SignedAction = AssertedAction & { readonly anchoredAtMs: number };

const SecondFactor = z.object({
  credentialUuid: z.string(),
  clientData: z.string().nullable(),
  signature: z.string().nullable(),
  authenticatorData: z.string().nullable(),
});
type Factor = z.infer<typeof SecondFactor>;

function factorsOf({ credentialId, clientData, signature, authenticatorData, secondFactor }: ActionEvidence): Factor[] {
  const first = { credentialUuid: credentialId, clientData, signature, authenticatorData };
  if (secondFactor === null) return [first];
  const json = parseStrictJson(Buffer.from(secondFactor, 'utf8'));
  const second = json.ok ? SecondFactor.safeParse(json.value).data : undefined;
  return second ? [first, second] : [first];
}

function isAnswer(credential: CharterCredential, challenge: string, factor: Factor): boolean {
  const { clientData, signature, authenticatorData } = factor;
  if (clientData === null || signature === null) return false;
  if (credential.kind === 'Fido2')
    return authenticatorData !== null && isPasskeyAnswer(credential, challenge, { clientData, signature, authenticatorData });
  return isRecordedByKey(credential.publicKey, challenge, { clientData, signature });
}

/**
 * Verifies that a member of the charter signed exactly this action: the challenge follows from the action, and a credential of
 * the charter signed it. Does not check the anchor (the signer's dated text), which only the signer can check. Throws a
 * `Refusal`.
 */
export function assertedActionOf(charter: CharterInForce, evidence: ActionEvidence, nowMs: number): AssertedAction {
  const { userId, credentialIds, method, path, bodySha256, approvalDigest, anchor = null, challenge, body } = evidence;
  const member = charter.member(userId);
  refuseUnless(member !== undefined, 'NotInCharter');
  const nonce = Buffer.from(evidence.nonce, 'base64url');
  const dateExpires = new Date(evidence.dateExpires);
  const committed = { orgId: charter.content.organizationId, userId, credentialIds, method, path, bodySha256, dateExpires };
  const isOfThis = nonce.length === NONCE_BYTES && challengeOf(nonce, { ...committed, approvalDigest, anchor }) === challenge;
  refuseUnless(isOfThis, 'ActionMismatch');
  refuseUnless(body !== undefined && sha256Hex(body) === bodySha256, 'ActionMismatch');
  refuseUnless(dateExpires.getTime() <= nowMs + ACTION_LIFE_MS_MAX + CLOCK_DRIFT_MS_MAX, 'ActionMismatch');
  const { seen } = charter.content;
  const signing = factorsOf(evidence).flatMap((factor) => {
    const credential = charter.credential(userId, factor.credentialUuid);
    if (!credential || !isAnswer(credential, challenge, factor)) return [];
    const isSeen = isSeenAssertion(credential.kind, factor.clientData ?? '', seen?.origins ?? []);
    return [{ credential, operations: credential.operations, isSeen }];
  });
  refuseUnless(signing.length > 0, 'AssertionInvalid');
  return {
    ...{ member, method, path, body, approvalDigest, digest: sha256Hex(challenge) },
    signedWith: signing.map(({ credential }) => credential),
    refusalFor: (operation) => {
      const permitted = signing.filter(({ operations }) => operations.includes(operation));
      if (permitted.length === 0) return 'NotPermitted';
      const needsSeen = !member.isServiceAccount && seen?.operations.includes(operation) === true;
      return needsSeen && !permitted.some(({ isSeen }) => isSeen) ? 'NotSeen' : undefined;
    },
  };
}

/** Like `assertedActionOf`, but also checks the anchor. The caller checks the age. */
export function signedActionOf(charter: CharterInForce, evidence: ActionEvidence, judging: Judging): SignedAction {
  const action = assertedActionOf(charter, evidence, judging.nowMs);
  return { ...action, anchoredAtMs: anchoredAtMs(evidence, judging) };
}

/** Verifies the action of a vote. Throws a `Refusal` for an invalid action, and for an action older than `ageMsMax`. */
export const voteActionIn =
  (charter: CharterInForce, ageMsMax: number, judging: Judging) =>
  (vote: ActionEvidence): SignedAction => {
    const action = signedActionOf(charter, vote, judging);
    assertNotOlder(action, ageMsMax, judging);
    return action;
  };

/** The signed action of the one initiator in the evidence. Throws a `Refusal`. */
export function initiatingActionOf(charter: CharterInForce, evidence: readonly Evidence[], judging: Judging): SignedAction {
  const found = evidence.filter((one): one is ActionEvidence => one.kind === 'Initiator');
  const [initiator] = found;
  if (!initiator || found.length > 1) throw new Refusal('InitiatorMissing');
  return signedActionOf(charter, initiator, judging);
}
