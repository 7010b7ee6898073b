import { charterRequestAt } from '../domain/charter-requests';
import { plain } from '../operator/charters/plain';
import type { CharterInForce } from '../signer/charters/charter-in-force';
import type { AskedChange } from '../signer/judging/amendments/amender';
import { archivePolicy, updatePolicy } from '../signer/judging/amendments/policies';
import type { Envelope } from '../signer/judging/people/approved-groups';
import type { AssertedAction } from '../signer/judging/people/signed-action';
import { afterLines, beforeLines } from './asking/policy-change-words';
import { type Approved, assertOfCharter } from './content/approval-content';
import { line } from './content/content-words';
import { policyBefore, policyChangeIn } from './content/policy-change';
import { assertCounted } from './content/requester';
import { assertVerified, NotVerified } from './not-verified';

export const NOT_PROVED = 'NOT PROVED: the file does not hold the signed request';

type Found = {
  readonly charter: CharterInForce;
  readonly approved: Approved;
  /** Undefined if the service does not keep the signed request. */
  readonly asked: AssertedAction | undefined;
};

/** The lines that show a change of a policy to its approvers. Throws `NotVerified`. */
export function changeSubject({ charter, approved, asked }: Found) {
  const change = policyChangeIn(approved.envelope);
  const before = policyBefore(charter, change);
  assertOfCharter(charter, approved, change.requester);
  if (asked) assertAskedFor(charter, approved, asked);
  const lines = [
    line(
      'Asked by',
      asked ? `${change.requester}, with a key of the charter` : `${NOT_PROVED}. The service says ${change.requester}`,
    ),
    line('Asks for', change.after ? 'NEW CONTENT for a policy' : 'the END of a policy, which then holds and blocks nothing'),
    ...beforeLines(charter, before),
    ...(change.after ? afterLines(charter, change.after) : []),
    ...Object.entries(change.more).map(([name, value]) => line('Also signed', `${plain(name)}: ${plain(JSON.stringify(value))}`)),
  ];
  return { lines, confirm: { what: 'the policy', text: change.policyId } };
}

/**
 * Throws `NotVerified` unless the requester signed a request for exactly this change. The signer's own code makes the comparison.
 */
function assertAskedFor(charter: CharterInForce, { envelope }: Approved, action: AssertedAction): void {
  const { method, path, body } = action;
  const asked = charterRequestAt(action);
  const kind = asked?.kind;
  if (!asked || (kind !== 'updatePolicy' && kind !== 'archivePolicy'))
    throw new NotVerified(`The requester signed another kind of request: ${plain(`${method} ${path}`)}.`);
  assertCounted(action, kind);
  assertVerified(
    isChangeApproved(kind, { charter, action, params: asked.params }, envelope),
    `The content was ALTERED: the requester asked for something else, namely ${plain(`${method} ${path} ${body}`)}.`,
  );
}

function isChangeApproved(kind: 'updatePolicy' | 'archivePolicy', asked: AskedChange, envelope: Envelope): boolean {
  const { isApproved } = { updatePolicy, archivePolicy }[kind];
  try {
    return isApproved?.(asked, envelope) === true;
  } catch {
    // The body is untrusted text, so any error of its parser means that the body does not request this change.
    return false;
  }
}
