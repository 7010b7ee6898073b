import { z } from 'zod';
import { ACTION_AGE_MS_MAX } from '../../../domain/anchors';
import { type CharterRequestKind, charterRequestAt } from '../../../domain/charter-requests';
import { isExport } from '../../../domain/charters';
import { HOUR_MS } from '../../../domain/durations';
import { prefixed } from '../../../domain/hex';
import { GRANT_LIFE_MS } from '../../../domain/key-requests';
import { evaluate } from '../../../policy/evaluate';
import type { CharterInForce } from '../../charters/charter-in-force';
import type { DeriveSharedOrder, ExportKeyOrder } from '../../protocol';
import type { Evidence } from '../../record/evidence';
import { Refusal, refuseUnless } from '../../wire/refusal';
import { readSignedBody } from '../requests/signed-body';
import { assertNotOlder, heldAgeMsMax, type Judging } from './action-age';
import { approvedEnvelope, type Envelope } from './approved-groups';
import {
  type ActionEvidence,
  type AssertedAction,
  assertCounts,
  initiatingActionOf,
  type SignedAction,
  voteActionIn,
} from './signed-action';

export const ExportBody = z.strictObject({
  encryptionKey: z.string(),
  supportedSchemes: z.array(z.strictObject({ protocol: z.string(), curve: z.string() })),
});
export const DeriveBody = z.strictObject({ domain: z.string(), seed: z.string() });

/** The export of a key, as approvers see it. */
export const ApprovedExport = z.looseObject({
  kind: z.literal('KeyExport'),
  operationKind: z.literal('Create'),
  entityId: z.string(),
  requester: z.string(),
  change: z.looseObject({ keyId: z.string(), publicKey: z.string(), encryptionKey: z.string() }),
});

export type ApprovedExport = z.infer<typeof ApprovedExport>;

const SECRETS = ['exportKey', 'exportWallet', 'deriveKey'] as const satisfies readonly CharterRequestKind[];
type SecretKind = (typeof SECRETS)[number];

/** The key whose secret is requested. Undefined for any other request. */
export function secretAsked(
  charter: CharterInForce,
  request: Pick<AssertedAction, 'method' | 'path'>,
): { readonly kind: SecretKind; readonly keyId: string | undefined } | undefined {
  const asked = charterRequestAt(request);
  const kind = SECRETS.find((one) => one === asked?.kind);
  if (!asked || kind === undefined) return undefined;
  const { walletId, keyId } = asked.params;
  return { kind, keyId: walletId === undefined ? keyId : charter.wallet(walletId)?.keyId };
}

type Asked = { readonly keyId: string; readonly evidence?: readonly Evidence[] | undefined };

/**
 * The signed request for an export of this key, or for a shared secret of it. Throws a `Refusal` unless a member with the right
 * to make the request signed it recently.
 */
function requestIn(
  charter: CharterInForce,
  { keyId, evidence = [] }: Asked,
  isExporting: boolean,
  judging: Judging,
): SignedAction {
  const action = initiatingActionOf(charter, evidence, judging);
  const asked = secretAsked(charter, action);
  if (!asked || isExport(asked.kind) !== isExporting || asked.keyId !== keyId) throw new Refusal('RequestMismatch');
  assertCounts(action, asked.kind);
  assertNotOlder(action, ACTION_AGE_MS_MAX.unapproved, judging);
  return action;
}

/**
 * Throws a `Refusal` unless a member asked for the export of this key to this recipient, and people approved exactly this export.
 * The votes must be at least as old as the charter demands. An export is refused unless a policy holds it for approval. The
 * returned action permits only one export.
 */
export function judgeExport(charter: CharterInForce, order: ExportKeyOrder, judging: Judging): Pick<SignedAction, 'digest'> {
  const { exports } = charter.content;
  if (!exports) throw new Refusal('NotWithCharter');
  const action = requestIn(charter, order, true, judging);
  refuseUnless(readSignedBody(ExportBody, action).encryptionKey === order.recipientKey, 'RequestMismatch');
  const initiatorId = action.member.userId;
  const verdict = evaluate(exports.policies, { initiatorId, permissionId: null, policyId: null });
  refuseUnless(verdict.outcome !== 'Blocked', 'PolicyBlocked');
  const { changeRequestId: requestId, evidence = [] } = order;
  if (verdict.outcome === 'Cleared' || requestId === undefined) throw new Refusal('ApprovalMissing');
  const asked = { requestId, initiatorId, initiatedAtMs: action.anchoredAtMs, demands: verdict.groups, evidence };
  const waitMs = exports.waitHours * HOUR_MS;
  // The requester repeats the request once the wait is over, so the votes are older than this request.
  const voteOf = voteActionIn(charter, heldAgeMsMax(verdict.autoRejectTimeoutMinutes) + waitMs + GRANT_LIFE_MS, judging);
  const actionOf = (vote: ActionEvidence): SignedAction => {
    const voted = voteOf(vote);
    refuseUnless(voted.anchoredAtMs + waitMs <= judging.nowMs, 'VotesMissing');
    return voted;
  };
  const envelope = approvedEnvelope(charter, { ...asked, activityKind: 'Keys:Export', actionOf }, judging.nowMs);
  refuseUnless(isOfThis(envelope, order, initiatorId), 'ApprovalMismatch');
  return action;
}

function isOfThis(envelope: Envelope, { keyId, sealed, recipientKey }: ExportKeyOrder, requester: string): boolean {
  const seen = ApprovedExport.safeParse(envelope).data;
  if (seen?.requester !== requester || seen.entityId !== keyId) return false;
  const { change } = seen;
  return change.keyId === keyId && change.publicKey === sealed.publicKeyHex && change.encryptionKey === recipientKey;
}

/** Throws a `Refusal` unless a member asked for exactly this shared secret. */
export function judgeDerivation(charter: CharterInForce, order: DeriveSharedOrder, judging: Judging): void {
  const { domain, seed } = readSignedBody(DeriveBody, requestIn(charter, order, false, judging));
  refuseUnless(prefixed(domain) === order.domainHex && prefixed(seed) === order.seedHex, 'RequestMismatch');
}
