import type { ChangeKind } from '../../domain/change-requests';
import { SIGNED_BODY_BYTES_MAX } from '../../domain/charters';
import { invariant } from '../../domain/errors';
import { approvalStore } from '../../entities/approvals/approval.store';
import { changeRequestStore } from '../../entities/change-requests/change-request.store';
import type { Reader } from '../../entities/database';
import { outgoingStore } from '../../entities/outgoing/outgoing.store';
import { signatureStore } from '../../entities/signatures/signature.store';
import type { UserActionEntity } from '../../entities/user-actions/user-action.entity';
import { userActionStore } from '../../entities/user-actions/user-action.store';
import type { SecretBox } from '../../platform/secret-box';
import { openBody } from '../user-actions/signed-bodies';

export type Grounds = { readonly userActionId: string; readonly approvalId: string | null };
/** The content that people signed for a request, in the form that the signer reads. */
export type SignedGround = ReturnType<typeof signedAction> | ReturnType<typeof approvedContent>;

/** The signed user action, with all data that a check of the signature and of the content needs (S2). */
export function signedAction(kind: 'Initiator' | 'Approver', action: UserActionEntity, signedBodies: SecretBox) {
  const body = openBody(signedBodies, action);
  invariant(action.credentialUuid !== null && action.firstFactorKind !== null, 'a user action that was used is signed');
  return {
    kind,
    userId: action.userId,
    credentialId: action.credentialUuid,
    credentialIds: [...action.credentialIds],
    method: action.method,
    path: action.path,
    bodySha256: action.bodySha256,
    dateExpires: action.dateExpires.toISOString(),
    approvalDigest: action.approvalDigest,
    ...(action.anchor === null ? {} : { anchor: action.anchor }),
    nonce: action.nonce,
    challenge: action.challenge,
    firstFactorKind: action.firstFactorKind,
    publicKey: action.publicKey,
    clientData: action.clientData,
    authenticatorData: action.authenticatorData,
    signature: action.signature,
    secondFactor: action.secondFactor === null ? null : JSON.stringify(action.secondFactor),
    ...(body === undefined || Buffer.byteLength(body) > SIGNED_BODY_BYTES_MAX ? {} : { body }),
    ...(action.decided === null ? {} : { decided: JSON.stringify(action.decided) }),
  };
}

const approvedContent = (approvalId: string, digest: string, committed: unknown) => ({
  kind: 'Approval' as const,
  approvalId,
  digest,
  committed: JSON.stringify(committed),
});

/** The requester's action first, then the approval, then the actions of the people who approved. */
export async function signedGrounds(
  reader: Reader,
  signedBodies: SecretBox,
  { userActionId, approvalId }: Grounds,
): Promise<SignedGround[]> {
  const [approval, actions] = await Promise.all([
    approvalId === null ? undefined : approvalStore.find(reader, approvalId),
    userActionStore.behind(reader, userActionId, approvalId),
  ]);
  const initiator = actions.find(({ id }) => id === userActionId);
  invariant(initiator, 'the user action of a request is kept');
  return [
    signedAction('Initiator', initiator, signedBodies),
    ...(approval ? [approvedContent(approval.id, approval.digest, approval.committed)] : []),
    ...actions.filter(({ id }) => id !== userActionId).map((action) => signedAction('Approver', action, signedBodies)),
  ];
}

/** The changes that the signer also judges, after the service has judged them. */
const JUDGED_CHANGES: readonly ChangeKind[] = ['Policy', 'KeyExport'];

async function judgedChange(reader: Reader, activityId: string) {
  const request = await changeRequestStore.find(reader, activityId);
  return request && JUDGED_CHANGES.includes(request.kind) ? request : undefined;
}

/**
 * The signed request for a transfer, transaction, signature, export or policy change. Null for other records, for requests that
 * the service made, and for transfers whose body contains personal data for the travel rule.
 */
export async function signedRequestOf(reader: Reader, signedBodies: SecretBox, activityId: string) {
  const outgoing = await outgoingStore.find(reader, activityId);
  const found = outgoing ?? (await signatureStore.find(reader, activityId)) ?? (await judgedChange(reader, activityId));
  const userActionId = found?.userActionId ?? null;
  if (userActionId === null || (outgoing?.travelRuleDigest ?? null) !== null) return null;
  const action = await userActionStore.find(reader, userActionId);
  return action ? signedAction('Initiator', action, signedBodies) : null;
}
