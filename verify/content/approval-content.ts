import { z } from 'zod';
import { type CharterActivity, isCharterActivity } from '../../domain/charters';
import type { PolicyInForce, RuleKind } from '../../domain/policies';
import { plain } from '../../operator/charters/plain';
import { policyLines } from '../../operator/charters/policy-words';
import { digestOf } from '../../platform/canonical';
import { areAsked } from '../../policy/approvals';
import { evaluate } from '../../policy/evaluate';
import { groupsOf } from '../../policy/groups';
import type { GroupDemand, Verdict } from '../../policy/types';
import { type Charter, type CharterWallet, charterPolicies } from '../../signer/charters/charter';
import type { CharterInForce } from '../../signer/charters/charter-in-force';
import { Committed } from '../../signer/judging/people/approved-groups';
import { hex, Id } from '../../signer/wire/schemas';
import { assertVerified, NotVerified } from '../not-verified';
import { Movement } from './movement';
import { policyChangeIn } from './policy-change';

const Approved = Committed.extend({ policies: z.array(z.looseObject({ id: Id, version: z.int().positive() })).min(1) });
export type Approved = z.infer<typeof Approved>;

/** The response of `getApprovalEvidence`. */
export const ApprovalFile = z.looseObject({
  approvalId: Id,
  digest: hex(32),
  committed: z.looseObject({ org: Id, activityKind: z.string() }).nullable(),
});
export type ApprovalFile = z.infer<typeof ApprovalFile>;

/** The content that the digest covers. Throws `NotVerified`. */
export function approvedIn({ committed, digest }: ApprovalFile): Approved {
  assertVerified(committed !== null, 'This approval is of an earlier release, which kept no content to verify.');
  assertVerified(
    digestOf(committed as Parameters<typeof digestOf>[0]) === digest,
    'The content was ALTERED: its digest is not the one that you would sign.',
  );
  assertVerified(
    isCharterActivity(committed.activityKind),
    `This approval is about ${plain(committed.activityKind)}. A charter says nothing about such a request, so this program cannot verify it.`,
  );
  const read = Approved.safeParse(committed).data;
  if (!read) throw new NotVerified('The content of this approval has another form than this release of the program knows.');
  return read;
}

/** Throws `NotVerified` unless the policies and groups of the approval are those of the charter. */
export function assertOfCharter(charter: CharterInForce, approved: Approved, initiatorId: string): void {
  const { policies, groups } = approved;
  for (const { id, version } of policies) {
    const known = policiesOn(charter, approved).find((one) => one.id === id);
    if (!known) throw new NotVerified(`The approval names the policy ${id}, which the charter that you trust does not have.`);
    assertVerified(
      known.version === version,
      `The approval names version ${version} of the policy ${id}. The charter that you trust has version ${known.version}.`,
    );
  }
  for (const { policyId } of groups)
    assertVerified(
      policies.some(({ id }) => id === policyId),
      `A group of the approval is of the policy ${policyId}, which the approval does not name.`,
    );
  const named = new Set(policies.map(({ id }) => id));
  const verdict = VERDICTS[approved.activityKind](charter, approved, initiatorId);
  const blocking = verdict.blockedBy.join(', ');
  assertVerified(verdict.outcome !== 'Blocked', `The charter forbids this request, by the policy ${blocking}.`);
  const ofNamed = policiesOn(charter, approved)
    .filter(({ id }) => named.has(id))
    .flatMap(({ id, action }) => groupsOf(action).map((definition): GroupDemand => ({ policyId: id, definition })));
  for (const demand of [...ofNamed, ...verdict.groups]) assertAsked(charter, approved, demand, initiatorId);
}

function assertAsked(charter: CharterInForce, { groups }: Approved, demand: GroupDemand, initiatorId: string): void {
  if (areAsked(groups, [demand], initiatorId)) return;
  const { policyId, definition } = demand;
  const policy = policyIn(charter, policyId);
  throw new NotVerified(
    [
      `The approval does not ask the people whom the charter demands (policy ${policyId}, quorum ${definition.quorum}). The charter says:`,
      ...(policy ? policyLines(policy, (id) => id) : []),
    ].join('\n  '),
  );
}

/** The policy of the charter with this id, for any kind of activity. */
export const policyIn = ({ content }: CharterInForce, policyId: string): PolicyInForce | undefined =>
  charterPolicies(content).find(({ id }) => id === policyId);

const POLICIES: { readonly [K in CharterActivity]: (content: Charter) => readonly PolicyInForce[] } = {
  'Wallets:Sign': ({ policies }) => policies,
  'Policies:Modify': ({ changePolicies }) => changePolicies,
  'Keys:Export': ({ exports }) => exports?.policies ?? [],
};
const policiesOn = ({ content }: CharterInForce, { activityKind }: Approved): readonly PolicyInForce[] =>
  POLICIES[activityKind](content);

const VERDICTS: { readonly [K in Approved['activityKind']]: typeof provableVerdict } = {
  'Wallets:Sign': (charter, approved, initiatorId) => provableVerdict(charter, approved, initiatorId),
  'Policies:Modify': changeVerdict,
  'Keys:Export': exportVerdict,
};

/**
 * This verdict depends only on the changed policy, so this program can compute it. Throws `NotVerified` unless the charter
 * demands an approval.
 */
function changeVerdict({ content }: CharterInForce, { envelope }: Pick<Approved, 'envelope'>, initiatorId: string): Verdict {
  const { policyId } = policyChangeIn(envelope);
  const verdict = evaluate(content.changePolicies, { initiatorId, permissionId: null, policyId });
  assertVerified(
    verdict.outcome === 'Held',
    `The charter that you trust demands no approval for a change of the policy ${policyId}.`,
  );
  return verdict;
}

function exportVerdict({ content: { exports } }: CharterInForce, _approved: object, initiatorId: string): Verdict {
  const verdict = evaluate(exports?.policies ?? [], { initiatorId, permissionId: null, policyId: null });
  assertVerified(verdict.outcome === 'Held', 'The charter that you trust lets no key leave the signer by this approval.');
  return verdict;
}

/** The wallets that the content concerns. Throws `NotVerified` if the charter contains none of these wallets. */
function walletsOf({ content, walletsOfKey }: CharterInForce, envelope: Approved['envelope']): readonly CharterWallet[] {
  const movement = Movement.safeParse(envelope).data;
  const { keyId } = z.looseObject({ keyId: z.string().optional() }).parse(envelope);
  const wallets = movement
    ? content.wallets.filter(({ network, address }) => network === movement.network && address === movement.from)
    : walletsOfKey(keyId ?? '');
  assertVerified(wallets.length > 0, 'The content is about a wallet that the charter that you trust does not have.');
  return wallets;
}

const PROVABLE_RULES: readonly RuleKind[] = ['AlwaysTrigger', 'TransactionRecipientWhitelist'];

/**
 * The verdict of the charter's policies that depend only on the content. Prices, sums and replies from vendors are known only to
 * the service, and the key stores of keys only to the signer, so only the signer judges the other policies.
 */
export function provableVerdict(charter: CharterInForce, { envelope }: Pick<Approved, 'envelope'>, initiatorId: string): Verdict {
  const { content } = charter;
  const [first, ...others] = walletsOf(charter, envelope).map(({ id, tags }) => ({ walletId: id, walletTags: tags }));
  const movement = Movement.safeParse(envelope).data;
  const network = movement?.network ?? '';
  const registered = content.registryAddresses.filter((one) => one.network === network).map(({ id, address }) => [id, address]);
  const provable = content.policies.filter(
    ({ rule, filters }) => PROVABLE_RULES.includes(rule.kind) && filters?.storeId === undefined,
  );
  return evaluate(provable, {
    ...(first ?? { walletId: null, walletTags: [] }),
    otherWallets: others,
    initiatorId,
    recipients: movement && movement.asset !== 'call' ? [movement.to] : [],
    amountUsdMicro: null,
    network,
    registryAddresses: Object.fromEntries(registered),
  });
}
