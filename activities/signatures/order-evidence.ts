import { openBody } from '../../application/user-actions/signed-bodies';
import { SIGNED_BODY_BYTES_MAX } from '../../domain/charters';
import { invariant } from '../../domain/errors';
import { approvalStore } from '../../entities/approvals/approval.store';
import type { Reader } from '../../entities/database';
import type { UserActionEntity } from '../../entities/user-actions/user-action.entity';
import { userActionStore } from '../../entities/user-actions/user-action.store';
import type { SecretBox } from '../../platform/secret-box';
import type { SignPayloadOrder } from '../../signer/protocol';

type Evidence = SignPayloadOrder['evidence'][number];
type Grounds = { readonly userActionId: string; readonly approvalId: string | null };

/** The signer takes no more. Without the texts it refuses the order of an organisation with a charter. */
const EVIDENCE_BYTES_MAX = 480 * 1024;
/** Leaves room in the message to the signer for the sealed key and the facts. */
const ORDER_BYTES_MAX = 960 * 1024;

function evidenceIn(kind: 'Initiator' | 'Approver', action: UserActionEntity, signedBodies: SecretBox): Evidence {
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

/** Each user action is returned as signed, with all data that a check of its signature and content needs (S2). */
export async function evidenceOf(
  reader: Reader,
  signedBodies: SecretBox,
  { userActionId, approvalId }: Grounds,
  /** The length of what the order asks the signer to sign. */
  contentChars = 0,
): Promise<Evidence[]> {
  const [approval, actions] = await Promise.all([
    approvalId === null ? undefined : approvalStore.find(reader, approvalId),
    userActionStore.behind(reader, userActionId, approvalId),
  ]);
  const initiator = actions.find(({ id }) => id === userActionId);
  invariant(initiator, 'the user action of a request is kept');
  const evidence: Evidence[] = [
    evidenceIn('Initiator', initiator, signedBodies),
    ...(approval
      ? [
          {
            kind: 'Approval' as const,
            approvalId: approval.id,
            digest: approval.digest,
            committed: JSON.stringify(approval.committed),
          },
        ]
      : []),
    ...actions.filter(({ id }) => id !== userActionId).map((action) => evidenceIn('Approver', action, signedBodies)),
  ];
  return fitting(evidence, contentChars);
}

/** Leaves out the texts if the order would be too large with them. */
export function fitting(evidence: readonly Evidence[], contentChars: number): Evidence[] {
  const bytesMax = Math.min(EVIDENCE_BYTES_MAX, ORDER_BYTES_MAX - contentChars);
  return Buffer.byteLength(JSON.stringify(evidence)) <= bytesMax ? [...evidence] : evidence.map(withoutTexts);
}

const withoutTexts = (one: Evidence): Evidence => {
  if (one.kind === 'Approval') return one;
  const { body: _body, decided: _decided, ...rest } = one;
  return rest;
};
