import { plain, quoted } from '../operator/charters/plain';
import { policyLines } from '../operator/charters/policy-words';
import type { CharterInForce } from '../signer/charters/charter-in-force';
import type { ActionEvidence, AssertedAction } from '../signer/judging/people/signed-action';
import { Evidence } from '../signer/record/evidence';
import { changeSubject, NOT_PROVED } from './approved-change';
import { exportSubject } from './approved-export';
import { type AddressBook, addressBookOf } from './content/address-book';
import { ApprovalFile, type Approved, approvedIn, assertOfCharter, policyIn } from './content/approval-content';
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
  /** The person types the end of `text` to confirm. */
  readonly confirm: { readonly what: string; readonly text: string };
  readonly lines: readonly string[];
};

/** `requested` is the signed request; null if the service does not keep it. */
const File = ApprovalFile.extend({ requested: Evidence.nullish() });

/** Verifies the response of `getApprovalEvidence` against the charter that the person trusts. Throws `NotVerified`. */
export function verifiedApproval({ home, file, addressBook }: Options, now: Date): VerifiedApproval {
  const approval = jsonIn(file, File, 'the evidence of an approval');
  const { approvalId, digest, requested } = approval;
  const approved = approvedIn(approval);
  const seen = lastSeen(home, approved.org);
  const charter = charterOf(seen);
  const initiator = requested == null || requested.kind !== 'Initiator' ? undefined : requested;
  const asked = initiator && requestOf(charter, initiator, now);
  const book = addressBookOf(addressBook ?? addressBookIn(home));
  const subject = SUBJECTS[approved.activityKind]({ charter, approvalId, approved, initiator, asked, book }, now);
  const lines = [
    line('Approval', approvalId),
    line('Digest', digest),
    line('Organisation', approved.org),
    line('Charter', `sequence ${seen.sequence}, digest ${seen.digest}, seen on ${seen.dateSeen}`),
    line('Request', approved.activityId),
    ...subject.lines,
    '',
    ...policyWords(charter, approved),
    ...groupWords(charter, approved),
  ];
  return { charter, approvalId, digest, confirm: subject.confirm, lines };
}

type Found = {
  readonly charter: CharterInForce;
  readonly approvalId: string;
  readonly approved: Approved;
  /** Undefined if the service does not keep the signed request. */
  readonly initiator: ActionEvidence | undefined;
  readonly asked: AssertedAction | undefined;
  readonly book: AddressBook;
};
type Subject = Pick<VerifiedApproval, 'confirm' | 'lines'>;

const SUBJECTS: { readonly [K in Approved['activityKind']]: (found: Found, now: Date) => Subject } = {
  'Wallets:Sign': signingSubject,
  'Policies:Modify': changeSubject,
  'Keys:Export': exportSubject,
};

function signingSubject({ charter, approvalId, approved, initiator, asked, book }: Found, now: Date): Subject {
  assertOfCharter(charter, approved, asked?.member.userId ?? '');
  const { envelope } = approved;
  const movement = Movement.safeParse(envelope).data;
  const lines = [
    ...(initiator ? requesterLines(charter, initiator, envelope, now) : [line('Asked by', NOT_PROVED)]),
    ...contentLines(envelope, book),
  ];
  return { lines, confirm: movement ? { what: 'the recipient', text: movement.to } : { what: 'the approval', text: approvalId } };
}

export function checkApproval(options: Options, now: Date): readonly string[] {
  const { lines } = verifiedApproval(options, now);
  return [...lines, '', 'VERIFIED: the digest belongs to this content, and the charter that you trust demands this approval.'];
}

function policyWords(charter: CharterInForce, { policies }: Approved): readonly string[] {
  return policies.flatMap(({ id }) => {
    const policy = policyIn(charter, id);
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
        escalation === undefined ? '' : `; from ${escalation.from} on also of ${escalation.voterIds.map(named).join(', ')}`
      }`,
    ),
  );
}
