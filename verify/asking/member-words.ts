import type { Approvers, GroupDefinition } from '../../domain/policies';
import { plain, quoted } from '../../operator/charters/plain';
import { groupsOf } from '../../policy/groups';
import type { Charter } from '../../signer/charters/charter';
import type { CharterInForce } from '../../signer/charters/charter-in-force';
import { line } from '../content/content-words';
import type { Asking, AskingWords } from './asking';

const votersOf = ({ members }: Charter, { userId }: Approvers): readonly string[] =>
  userId?.in.filter((id) => members.some((member) => member.userId === id)) ??
  members.filter(({ isServiceAccount }) => !isServiceAccount).map((member) => member.userId);

function groupLine(charter: Charter, userId: string, policy: Charter['policies'][number] | Charter['changePolicies'][number]) {
  return (group: GroupDefinition): readonly string[] => {
    const isLater = group.escalation !== undefined && votersOf(charter, group.escalation.approvers).includes(userId);
    const voters = votersOf(charter, group.approvers);
    if (!voters.includes(userId) && !isLater) return [];
    const left = voters.filter((id) => id !== userId).length;
    const words = `${group.quorum} of ${voters.length} in the policy ${policy.id} ${quoted(policy.name)}`;
    const warning = left < group.quorum ? '. Its quorum CAN NO LONGER BE REACHED' : '';
    return [line('Counted as', `${words}: ${left} voters would be left${warning}`)];
  };
}

/** The policies in which the member is an approver. */
export function countedLines({ content }: Pick<CharterInForce, 'content'>, userId: string): readonly string[] {
  return [...content.policies, ...content.changePolicies].flatMap((policy) =>
    groupsOf(policy.action).flatMap(groupLine(content, userId, policy)),
  );
}

/** The effect on a member who leaves the charter. */
export const OF_MEMBER = [
  line('Then', 'this person can no longer request or approve. Only a new charter of the operator can bring the person back'),
] as const;

/**
 * The effect on an end user whose credential a restriction removes. Charters do not name end users, so this program cannot check
 * the ids.
 */
export const OF_END_USER = [
  line('Then', 'this credential no longer counts for any key of this person, unless it is the last one of a key'),
  line('', 'The signer refuses the whole restriction if the person or the credential is unknown'),
] as const;

/** A user who is deactivated and a user who is archived both leave the charter. */
export function removalWords({ charter, params: { userId, serviceAccountId = '' } }: Asking): AskingWords {
  const id = userId ?? serviceAccountId;
  const what = userId === undefined ? 'service account' : 'user';
  const found = charter.member(id);
  // The right to remove service accounts does not cover people, and the signer enforces this.
  const member = userId === undefined && found?.isServiceAccount === false ? undefined : found;
  const lines = [
    line('Asks for', `the REMOVAL of a ${what}`),
    line('User', `${plain(id)}${member ? '' : ', whom the charter that you trust DOES NOT NAME'}`),
    ...(member && member.hand !== id ? [line('Acts for', member.hand)] : []),
    ...(member ? [...countedLines(charter, id), ...OF_MEMBER] : []),
  ];
  return { lines, confirm: { what: `the ${what}`, text: id } };
}

/** The charter does not contain freezes, so this program cannot show the frozen wallets. */
export const releaseWords = ({ params: { freezeId = '' } }: Asking): AskingWords => ({
  lines: [
    line('Asks for', 'the RELEASE of a freeze'),
    line('Freeze', plain(freezeId)),
    line('', 'Only the service says what this freeze covers. After the release, the frozen wallets can send again'),
  ],
  confirm: { what: 'the freeze', text: freezeId },
});
