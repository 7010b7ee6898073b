import { z } from 'zod';
import { AMENDED_POLICIES, isAmendedActivity } from '../../../domain/charters';
import type { Action } from '../../../domain/policies';
import { digestOf } from '../../../platform/canonical';
import { asksOf } from '../../../policy/groups';
import { ChangePolicyContent, SigningPolicyContent } from '../../charters/charter';
import type { CharterInForce } from '../../charters/charter-in-force';
import type { CharterChange, CharterSection } from '../../record/charter-entries';
import { refuseUnless } from '../../wire/refusal';
import type { Envelope } from '../people/approved-groups';
import { readSignedBody, type SignedRequest } from '../requests/signed-body';
import type { Amender, AskedChange } from './amender';

/** The values of omitted fields, which must be the same as in the service. */
const unsaid = {
  mode: SigningPolicyContent.shape.mode.default('Enforce'),
};
const Content = z.discriminatedUnion('activityKind', [
  SigningPolicyContent.extend({ ...unsaid, filters: SigningPolicyContent.shape.filters.unwrap().optional() }),
  ChangePolicyContent.extend({ ...unsaid, filters: ChangePolicyContent.shape.filters.unwrap().optional() }),
]);
export type CharterPolicyContent = Omit<z.infer<typeof Content>, 'filters'> & { readonly filters: object | null };
const OfAnyKind = z.looseObject({ activityKind: z.string() });

/**
 * Undefined if members cannot amend policies on this kind of activity. Throws a `Refusal` for a body that does not request a
 * policy.
 */
export function policyAsked(request: Pick<SignedRequest, 'body'>): CharterPolicyContent | undefined {
  if (!isAmendedActivity(readSignedBody(OfAnyKind, request).activityKind)) return undefined;
  const { filters, ...content } = readSignedBody(Content, request);
  return { ...content, filters: filters ?? null };
}

/** A policy that members amend. */
export function amendedPolicy({ content: { policies, changePolicies } }: CharterInForce, policyId: string) {
  return [...policies, ...changePolicies].find(({ id }) => id === policyId);
}

const removal = (id: string, section: CharterSection): CharterChange => ({ section, id, value: null });

/** Removes the policy from its section. */
function removed(charter: CharterInForce, policyId: string): CharterChange[] {
  const found = amendedPolicy(charter, policyId);
  return found ? [removal(policyId, AMENDED_POLICIES[found.activityKind])] : [];
}

type Judging = Pick<CharterPolicyContent, 'rule' | 'action' | 'filters' | 'mode'>;
const judgement = ({ rule, action, filters, mode }: Judging): string =>
  digestOfPlain(JSON.parse(JSON.stringify({ rule, action: asksOf(action), filters, mode })));

/**
 * As in the service, the version rises unless only names change, so that an approval never covers two different contents (S9).
 */
function isNext(
  version: number,
  before: (Judging & { readonly version: number }) | undefined,
  after: CharterPolicyContent | undefined,
): boolean {
  if (!before) return true;
  const isSame = after !== undefined && judgement(before) === judgement(after);
  return isSame ? version === before.version : version > before.version;
}

type Given = { readonly id: string; readonly version: number; readonly groupIds: readonly string[] };

function put(content: CharterPolicyContent, { id, version, groupIds }: Given): CharterChange {
  const { activityKind, action } = content;
  // As in the service, no policy may block every change of policies, because no member could ever remove such a policy.
  refuseUnless(activityKind !== 'Policies:Modify' || action.kind !== 'Block', 'RequestMismatch');
  return {
    section: AMENDED_POLICIES[activityKind],
    id,
    value: { ...content, id, version, action: identified(action, groupIds) },
  };
}

/** Assigns the ids to the groups of the action, in order. */
function identified(action: Action, groupIds: readonly string[]): Action {
  const groups = action.kind === 'RequestApproval' ? action.approvalGroups : [];
  refuseUnless(groups.length === groupIds.length && new Set(groupIds).size === groupIds.length, 'RequestMismatch');
  if (action.kind !== 'RequestApproval') return action;
  return { ...action, approvalGroups: groups.map((group, at) => ({ ...group, id: groupIds[at] ?? '' })) };
}

export const createPolicy: Amender<'createPolicy'> = {
  changes({ charter, action, amendment: { policyId: id, version, groupIds } }) {
    refuseUnless(amendedPolicy(charter, id) === undefined && version === 1, 'RequestMismatch');
    const content = policyAsked(action);
    return content ? [put(content, { id, version, groupIds })] : [];
  },
};

export const updatePolicy: Amender<'updatePolicy'> = {
  changes({ charter, action, params: { policyId: id = '' }, amendment: { version, groupIds } }) {
    const content = policyAsked(action);
    refuseUnless(isNext(version, amendedPolicy(charter, id), content), 'RequestMismatch');
    return [...removed(charter, id), ...(content ? [put(content, { id, version, groupIds })] : [])];
  },
  changedPolicies: ({ params: { policyId = '' } }) => [policyId],
  isApproved(asked, envelope) {
    const content = policyAsked(asked.action);
    return content !== undefined && isOfThis(asked, envelope, { ...content, status: 'Active' });
  },
};

export const archivePolicy: Amender<'archivePolicy'> = {
  changes: ({ charter, params: { policyId = '' } }) => removed(charter, policyId),
  changedPolicies: ({ params: { policyId = '' } }) => [policyId],
  isApproved: (asked, envelope) => isOfThis(asked, envelope, { status: 'Archived' }),
};

/** The envelope in which approvers see a change of a policy. */
export const ApprovedChange = z.looseObject({
  kind: z.literal('Policy'),
  operationKind: z.literal('Update'),
  entityId: z.string(),
  baseVersion: z.int(),
  requester: z.string(),
  change: z.record(z.string(), z.unknown()),
});

/**
 * Whether approvers saw this person's request for these fields of the policy, and the request is based on the version in force.
 */
function isOfThis({ charter, action, params: { policyId = '' } }: AskedChange, envelope: Envelope, members: object): boolean {
  const seen = ApprovedChange.safeParse(envelope).data;
  if (!seen) return false;
  const { entityId, requester, baseVersion, change } = seen;
  const wanted: unknown = JSON.parse(JSON.stringify(members));
  const shown = Object.fromEntries(Object.keys(members).map((name) => [name, change[name]]));
  const isBasedOnThis = amendedPolicy(charter, policyId)?.version === baseVersion;
  return (
    entityId === policyId && requester === action.member.userId && isBasedOnThis && digestOfPlain(shown) === digestOfPlain(wanted)
  );
}

const digestOfPlain = (value: unknown): string => digestOf(value as Parameters<typeof digestOf>[0]);
