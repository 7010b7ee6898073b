import { isDecisionPath } from '../domain/approvals';
import { plain } from '../operator/charters/plain';
import { verifiedApproval } from './approval';
import { line } from './content/content-words';
import { assertVerified } from './not-verified';
import { privateKeyIn } from './private-key';
import { memberWith, signShown, type Terminal } from './signed-file';
import { type UserAction, userActionIn } from './user-action';

type Options = {
  readonly home: string;
  readonly file: string;
  readonly approval: string;
  readonly key: string;
  readonly to: string;
  readonly deny?: boolean | undefined;
  readonly reason?: string | undefined;
  readonly credential?: string | undefined;
  readonly addressBook?: string | undefined;
};

const VOTE = { operation: 'createApprovalDecision', words: 'approve or deny' } as const;

/** The exact body with which the request must be announced and sent. */
export const decisionBody = ({ deny = false, reason }: Pick<Options, 'deny' | 'reason'>): string =>
  JSON.stringify({ value: deny ? 'Denied' : 'Approved', ...(reason === undefined ? {} : { reason }) });

/** Verifies the approval and the challenge, asks the person, and writes the body of `POST /auth/action`. */
export async function sign(options: Options, terminal: Terminal, now: Date): Promise<readonly string[]> {
  const { charter, approvalId, digest, confirm, lines } = verifiedApproval({ ...options, file: options.approval }, now);
  const body = decisionBody(options);
  const action = userActionIn(options.file, body, now);
  assertVoteOn(action, { approvalId, digest, orgId: charter.content.organizationId });
  const key = privateKeyIn(options.key);
  memberWith(charter, action.commitment.user, key, VOTE);
  const { to, credential, deny } = options;
  const confirmed = { ...confirm, act: deny ? 'DENY' : 'APPROVE' };
  const bodyShown = { lines: [line('', plain(body))], words: `the body ${plain(body)}` };
  return signShown({ action, body: bodyShown, key, to, credential, lines, confirm: confirmed }, terminal);
}

type Vote = { readonly approvalId: string; readonly digest: string; readonly orgId: string };

function assertVoteOn({ commitment }: UserAction, { approvalId, digest, orgId }: Vote): void {
  const { org, method, path, approvalDigest } = commitment;
  assertVerified(org === orgId, `The challenge is for ANOTHER ORGANISATION (${org}) than the approval (${orgId}).`);
  assertVerified(
    method === 'POST' && isDecisionPath(path, approvalId),
    `The challenge is for ANOTHER REQUEST: ${plain(`${method} ${path}`)}, and not for a decision on ${approvalId}.`,
  );
  assertVerified(
    approvalDigest === digest,
    'The challenge covers OTHER CONTENT than the approval that you verified: its digest is another one.',
  );
}
