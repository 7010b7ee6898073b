import { AMENDMENTS, type AmendmentKind } from '../../../../domain/amendments';
import type { ApprovalGroup } from '../../../../domain/approvals';
import { digestOf } from '../../../../platform/canonical';
import type { AmendCharterOrder, Amendment } from '../../../../signer/charters/amend-charter-order';
import type { Charter } from '../../../../signer/charters/charter';
import { createReportedCharters } from '../../../../signer/charters/reported-charters';
import type { Evidence } from '../../../../signer/record/evidence';
import { actionOf, type Chartered, type Person, type Said, voteOf } from '../../charters/chartered';
import { ORG } from '../../fixtures';

export const GUARD_ID = 'plc-00000-00000-0000000000000009';
const GUARD_GROUP = 'grp-9';

type Order<K extends AmendmentKind> = Omit<AmendCharterOrder, 'amendment'> & { readonly amendment: Amendment<K> };
type Asked<K extends AmendmentKind> = {
  readonly by: Person;
  readonly amendment: Amendment<K>;
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly signed?: Pick<Said, 'anchor' | 'expiresMs'>;
};

let count = 0;

/** The order for an amendment that this person signed. */
export function amendmentBy<K extends AmendmentKind>({ by, amendment, params = {}, body = {}, signed = {} }: Asked<K>): Order<K> {
  const { method, path } = AMENDMENTS[amendment.kind];
  count += 1;
  const said = { method, path: path.replace(/:(\w+)/g, (_all, name: string) => params[name] ?? 'x'), body: JSON.stringify(body) };
  return { orgId: ORG, amendmentId: `amd-${count}`, amendment, evidence: [actionOf('Initiator', by, { ...said, ...signed })] };
}

/** A policy on changes of policies: two of these people approve. */
export const guardOf = (voters: readonly Person[], changes: Partial<Charter['changePolicies'][number]> = {}) => ({
  id: GUARD_ID,
  name: 'Guard',
  version: 1,
  activityKind: 'Policies:Modify' as const,
  rule: { kind: 'AlwaysTrigger' as const },
  action: {
    kind: 'RequestApproval' as const,
    approvalGroups: [{ id: GUARD_GROUP, quorum: 2, approvers: { userId: { in: voters.map(({ userId }) => userId) } } }],
  },
  filters: null,
  mode: 'Enforce' as const,
  ...changes,
});

type Seen = { readonly changeRequestId: string; readonly requester: Person; readonly entityId: string; readonly change: object };

/** The approval of a change of a policy, and the votes of these people. */
export function approvalOf(
  { changeRequestId, requester, entityId, change }: Seen,
  voters: readonly Person[],
  { envelope = {}, committed: others = {} }: { readonly envelope?: object; readonly committed?: object } = {},
): Evidence[] {
  const group: ApprovalGroup = {
    policyId: GUARD_ID,
    groupId: GUARD_GROUP,
    name: null,
    quorum: 2,
    voterIds: voters.map(({ userId }) => userId),
    denierIds: [],
  };
  const seen = { kind: 'Policy', operationKind: 'Update', entityId, baseVersion: 1, requester: requester.userId, before: {} };
  const committed = {
    ...{ v: 1, org: ORG, activityKind: 'Policies:Modify', activityId: changeRequestId },
    envelope: { ...seen, change, ...envelope },
    ...{ policies: [{ id: GUARD_ID, version: 1 }], groups: [group], credentials: [] },
    ...others,
  };
  const text = JSON.stringify(committed);
  const digest = digestOf(JSON.parse(text));
  const approvalId = `ap-${changeRequestId}`;
  return [
    { kind: 'Approval', approvalId, digest, committed: text },
    ...voters.map((voter) => voteOf(voter, { approvalId, digest })),
  ];
}

/** The charter in force, as the signer returns its text. */
export function charterNow({ signer }: Chartered): Charter {
  const reported = createReportedCharters(signer.journal);
  let text = '';
  for (;;) {
    const { charter } = reported.part({ orgId: ORG, offset: text.length });
    if (!charter) throw new Error('no charter');
    text += charter.part;
    if (text.length >= charter.chars) return JSON.parse(text) as Charter;
  }
}
