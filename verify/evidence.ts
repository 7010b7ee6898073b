import { z } from 'zod';
import { plain } from '../operator/charters/plain';
import { digestOf } from '../platform/canonical';
import { groupsOf } from '../policy/groups';
import type { CharterInForce } from '../signer/charters/charter-in-force';
import { charterInForce } from '../signer/charters/charter-in-force';
import { approvedEnvelope, approves } from '../signer/judging/people/approved-groups';
import { type ActionEvidence, assertedActionOf } from '../signer/judging/people/signed-action';
import { Evidence } from '../signer/record/evidence';
import { Id } from '../signer/wire/schemas';
import { addressBookOf } from './content/address-book';
import { approvedIn, assertOfCharter, provableVerdict } from './content/approval-content';
import { contentLines, line } from './content/content-words';
import { requesterLines, requestOf } from './content/requester';
import { addressBookIn, lastSeen } from './home';
import { assertVerified, NotVerified } from './not-verified';
import { jsonIn } from './read-file';
import { refusalWords } from './refusal-words';
import { operatorKeyIn, signedCharterIn } from './trusted-charter';

type Options = {
  readonly home: string;
  readonly file: string;
  readonly charter: string;
  readonly operatorKey?: string | undefined;
  readonly addressBook?: string | undefined;
};
type Approval = Extract<Evidence, { readonly kind: 'Approval' }>;

/** The response of `getTransferEvidence`. */
const File = z.looseObject({
  organizationId: Id,
  transferId: Id,
  status: z.string().max(64),
  txHash: z.string().max(256).nullable(),
  content: z.record(z.string(), z.unknown()),
  evidence: z.array(Evidence).max(64),
});

const isInitiator = (one: Evidence): one is ActionEvidence => one.kind === 'Initiator';
const isVote = (one: Evidence): one is ActionEvidence => one.kind === 'Approver';
const isApproval = (one: Evidence): one is Approval => one.kind === 'Approval';
const plainDigest = (value: unknown): string => digestOf(JSON.parse(JSON.stringify(value)) as Parameters<typeof digestOf>[0]);

/** Proves who asked for a transfer and who approved it, by the charter of that time. Throws `NotVerified`. */
export function evidence({ home, file, charter: path, operatorKey, addressBook }: Options, now: Date): readonly string[] {
  const {
    organizationId,
    transferId,
    status,
    txHash,
    content,
    evidence: list,
  } = jsonIn(file, File, 'the evidence of a transfer');
  const key = operatorKey === undefined ? lastSeen(home, organizationId).operatorKey : operatorKeyIn(operatorKey);
  const { content: text, digest } = signedCharterIn(path, key);
  assertVerified(
    text.organizationId === organizationId,
    `The charter is of ANOTHER ORGANISATION (${text.organizationId}) than the evidence (${organizationId}).`,
  );
  const charter = charterInForce(text, digest);
  const [initiator, ...more] = list.filter(isInitiator);
  if (!initiator || more.length > 0) throw new NotVerified('The evidence does not hold the one signed request of the transfer.');
  const asked = requesterLines(charter, initiator, content, now);
  const { userId } = requestOf(charter, initiator, now).member;
  const approval = list.find(isApproval);
  return [
    line('Transfer', transferId),
    line('Organisation', organizationId),
    line('Charter', `sequence ${text.sequence}, digest ${digest}`),
    line('State', `${plain(status)}, transaction ${plain(txHash ?? 'none')} (claimed by the service)`),
    ...asked,
    ...contentLines(content, addressBookOf(addressBook ?? addressBookIn(home))),
    ...(approval
      ? approvalLines(charter, { transferId, userId, content, approval, list }, now)
      : withoutApproval(charter, content, userId)),
    '',
    'VERIFIED: signatures under keys of the charter prove everything above that is not marked as claimed by the service.',
  ];
}

/** The requester does not sign a fee ceiling, so only approvers prove the highest fee. */
function withoutApproval(charter: CharterInForce, content: Found['content'], userId: string): readonly string[] {
  const { outcome, blockedBy, groups } = provableVerdict(charter, { envelope: content }, userId);
  const policies = [...new Set([...blockedBy, ...groups.map(({ policyId }) => policyId)])].join(', ');
  assertVerified(
    outcome === 'Cleared',
    `The charter does not let this pass without an approval (${policies}), and the evidence has none.`,
  );
  return [line('Approved by', 'no one: the evidence holds no approval, so only the service states the highest fee')];
}

type Found = {
  readonly transferId: string;
  readonly userId: string;
  readonly content: Readonly<Record<string, unknown>>;
  readonly approval: Approval;
  readonly list: readonly Evidence[];
};

function approvalLines(charter: CharterInForce, found: Found, now: Date): readonly string[] {
  const { transferId, userId, content, approval, list } = found;
  const { approvalId, digest, committed } = approval;
  const approved = approvedIn({ approvalId, digest, committed: parsed(committed) });
  assertOfCharter(charter, approved, userId);
  assertVerified(approved.activityId === transferId, 'The approval is of ANOTHER REQUEST than the transfer.');
  for (const name of new Set([...Object.keys(content), ...Object.keys(approved.envelope)]))
    assertVerified(
      plainDigest(content[name] ?? null) === plainDigest(approved.envelope[name] ?? null),
      `The content was ALTERED after the approval: ${plain(name)} is not the one that people approved.`,
    );
  const votes = list.filter(isVote).map((vote) => voteLine(charter, vote, approval, now));
  const demands = approved.policies.flatMap(({ id }) =>
    charter.content.policies
      .filter((policy) => policy.id === id)
      .flatMap(({ action }) => groupsOf(action).map((definition) => ({ policyId: id, definition }))),
  );
  try {
    const actionOf = (vote: ActionEvidence) => assertedActionOf(charter, vote, now.getTime());
    // Treats every escalation as due: only the signer knows the time, and the signer has signed the transfer.
    const initiated = { initiatorId: userId, initiatedAtMs: 0 };
    const request = { requestId: transferId, activityKind: 'Wallets:Sign', ...initiated, demands } as const;
    approvedEnvelope(charter, { ...request, evidence: list, actionOf }, now.getTime());
  } catch (error) {
    throw new NotVerified([`The approval proves nothing: ${refusalWords(error)}.`, ...votes].join('\n  '));
  }
  return [line('Approval', `${approvalId}, digest ${digest}`), ...votes];
}

const Readable = z.looseObject({ org: Id, activityKind: z.string() });

function parsed(committed: string): z.infer<typeof Readable> {
  try {
    return Readable.parse(JSON.parse(committed));
  } catch {
    throw new NotVerified('The approved content is not readable.');
  }
}

function voteLine(charter: CharterInForce, vote: ActionEvidence, approval: Approval, now: Date): string {
  const by = plain(vote.userId);
  if (vote.body === undefined) return line('Vote', `of ${by} is EXPIRED: the service no longer keeps its text`);
  try {
    const action = assertedActionOf(charter, vote, now.getTime());
    const isApproving = approves(action, approval, vote.decided);
    const reason = action.refusalFor('createApprovalDecision');
    if (isApproving && reason === undefined) return line('Approved by', by);
    if (isApproving && reason === 'NotSeen') return line('Vote', `of ${by} was signed unseen, and does not count`);
    return line('Vote', `of ${by} is for something else, and does not count`);
  } catch (error) {
    return line('Vote', `of ${by} does not count: ${refusalWords(error)}`);
  }
}
