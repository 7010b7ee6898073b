import { plain, quoted } from '../operator/charters/plain';
import { policyLines } from '../operator/charters/policy-words';
import type { CharterInForce } from '../signer/charters/charter-in-force';
import { Evidence } from '../signer/record/evidence';
import { addressBookOf } from './content/address-book';
import { ApprovalFile, type Approved, approvedIn, assertOfCharter } from './content/approval-content';
import { contentLines, line } from './content/content-words';
import { Movement } from './content/movement';
import { requesterLines, requestOf } from './content/requester';
import { addressBookIn, lastSeen } from './home';
import { assertVerified } from './not-verified';
import { jsonIn } from './read-file';
import { charterOf } from './trusted-charter';

type Options = { readonly home: string; readonly file: string; readonly addressBook?: string | undefined };
export type VerifiedApproval = {
  readonly charter: CharterInForce;
  readonly approvalId: string;
  readonly digest: string;
  /** What the person types in part to confirm. */
  readonly confirm: { readonly what: string; readonly text: string };
  readonly lines: readonly string[];
};

/** `requested` is the signed request; null if the service does not keep it. */
const File = ApprovalFile.extend({ requested: Evidence.nullish() });

/** Verifies the answer of `getApprovalEvidence` against the charter that the person trusts. Throws `NotVerified`. */
export function verifiedApproval({ home, file, addressBook }: Options, now: Date): VerifiedApproval {
  const approval = jsonIn(file, File, 'the evidence of an approval');
  const { approvalId, digest, requested } = approval;
  const approved = approvedIn(approval);
  const seen = lastSeen(home, approved.org);
  const charter = charterOf(seen);
  const initiator = requested == null || requested.kind !== 'Initiator' ? undefined : requested;
  const asked = initiator && requestOf(charter, initiator, now).member;
  assertOfCharter(charter, approved, asked?.userId ?? '');
  const book = addressBookOf(addressBook ?? addressBookIn(home));
  const { envelope } = approved;
  const lines = [
    line('Approval', approvalId),
    line('Digest', digest),
    line('Organisation', approved.org),
    line('Charter', `sequence ${seen.sequence}, digest ${seen.digest}, seen on ${seen.dateSeen}`),
    line('Request', approved.activityId),
    ...(initiator
      ? requesterLines(charter, initiator, envelope, now)
      : [line('Asked by', 'NOT PROVED: the file does not hold the signed request')]),
    ...contentLines(envelope, book),
    '',
    ...policyWords(charter, approved),
    ...groupWords(charter, approved),
  ];
  const movement = Movement.safeParse(envelope).data;
  const confirm = movement ? { what: 'the recipient', text: movement.to } : { what: 'the approval', text: approvalId };
  return { charter, approvalId, digest, confirm, lines };
}

export function checkApproval(options: Options, now: Date): readonly string[] {
  const { lines } = verifiedApproval(options, now);
  return [...lines, '', 'VERIFIED: the digest is the one of this content, and the charter that you trust demands this approval.'];
}

function policyWords({ content }: CharterInForce, { policies }: Approved): readonly string[] {
  return policies.flatMap(({ id }) => {
    const policy = content.policies.find((one) => one.id === id);
    assertVerified(policy !== undefined, `The charter does not have the policy ${id}.`);
    return [line('Policy', `${id} ${quoted(policy.name)}`), ...policyLines(policy, (one) => one).map((text) => `    ${text}`)];
  });
}

function groupWords({ member }: CharterInForce, { groups }: Approved): readonly string[] {
  const named = (id: string) => (member(id) ? id : `${id} (NOT IN THE CHARTER, does not count)`);
  return groups.map(({ name, quorum, voterIds, escalation }) =>
    line(
      'Needs',
      `${quorum} of ${voterIds.map(named).join(', ')}; group ${plain(name ?? 'without name')}${
        escalation === undefined ? '' : `; the voters whom ${escalation.from} adds do not count for the signer`
      }`,
    ),
  );
}
