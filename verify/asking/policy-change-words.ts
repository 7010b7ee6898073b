import { plain, quoted } from '../../operator/charters/plain';
import { newPolicyLines, policyLines } from '../../operator/charters/policy-words';
import { sha256Hex } from '../../platform/digests';
import type { CharterInForce } from '../../signer/charters/charter-in-force';
import { amendedPolicy, type CharterPolicyContent, policyAsked } from '../../signer/judging/amendments/policies';
import { line } from '../content/content-words';
import { NotVerified } from '../not-verified';
import { type Asking, type AskingWords, asSignerReads, namedIn } from './asking';
import { guardLines } from './change-verdict';

type KnownPolicy = NonNullable<ReturnType<typeof amendedPolicy>>;

const indented = (lines: readonly string[]) => lines.map((text) => `    ${text}`);

/** The lines of the policy in force. */
export const beforeLines = (charter: CharterInForce, policy: KnownPolicy, name = 'Now'): readonly string[] => [
  line(name, `${policy.id} ${quoted(policy.name)}`),
  ...indented(policyLines(policy, namedIn(charter))),
];

/** The lines of the policy after the change. */
export const afterLines = (charter: CharterInForce, content: CharterPolicyContent | undefined): readonly string[] =>
  content
    ? [line('Then', quoted(content.name)), ...indented(newPolicyLines(content, namedIn(charter)))]
    : [line('Then', 'a policy on activities that no charter judges: the signer will not know the policy')];

/** Throws `NotVerified` for a policy that the charter does not contain. */
export function policyToChange(charter: CharterInForce, policyId: string): KnownPolicy {
  const policy = amendedPolicy(charter, policyId);
  if (policy) return policy;
  throw new NotVerified(`The request changes the policy ${plain(policyId)}, which the charter that you trust does not have.`);
}

const read = (asking: Asking) => asSignerReads('a policy', () => policyAsked(asking));

export function createPolicyWords(asking: Asking): AskingWords {
  const lines = [line('Asks for', 'a NEW POLICY'), ...afterLines(asking.charter, read(asking))];
  return { lines, confirm: { what: 'the digest of the body', text: sha256Hex(asking.body) } };
}

export function updatePolicyWords(asking: Asking): AskingWords {
  const { charter, member, params } = asking;
  const policy = policyToChange(charter, params['policyId'] ?? '');
  const lines = [
    line('Asks for', 'NEW CONTENT for a policy'),
    ...beforeLines(charter, policy),
    ...afterLines(charter, read(asking)),
    ...guardLines(charter, policy.id, member.userId),
  ];
  return { lines, confirm: { what: 'the policy', text: policy.id } };
}

export function archivePolicyWords({ charter, member, params }: Asking): AskingWords {
  const policy = policyToChange(charter, params['policyId'] ?? '');
  const lines = [
    line('Asks for', 'the END of a policy, which then holds and blocks nothing'),
    ...beforeLines(charter, policy),
    ...guardLines(charter, policy.id, member.userId),
  ];
  return { lines, confirm: { what: 'the policy', text: policy.id } };
}
