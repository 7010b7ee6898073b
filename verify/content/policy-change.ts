import { z } from 'zod';
import { plain } from '../../operator/charters/plain';
import type { CharterInForce } from '../../signer/charters/charter-in-force';
import { ApprovedChange, amendedPolicy, type CharterPolicyContent, policyAsked } from '../../signer/judging/amendments/policies';
import { Id } from '../../signer/wire/schemas';
import { assertVerified, NotVerified } from '../not-verified';

const Content = z.looseObject({ ...ApprovedChange.shape, entityId: Id, requester: Id });
const STATUSES = ['Active', 'Archived'] as const;
const Change = z.looseObject({ status: z.enum(STATUSES) });

/** A change of a policy, as approvers sign it. */
export type PolicyChange = {
  readonly policyId: string;
  readonly requester: string;
  /** The version of the policy that the change is based on. */
  readonly baseVersion: number;
  /** Undefined if the change ends the policy. */
  readonly after: CharterPolicyContent | undefined;
  /** The other signed fields, and the fields that the service adds for people. */
  readonly more: Readonly<Record<string, unknown>>;
};

/** Throws `NotVerified` for a change of something else, and for a form that the signer would not accept. */
export function policyChangeIn(envelope: Readonly<Record<string, unknown>>): PolicyChange {
  const kind = envelope['kind'];
  assertVerified(
    kind === 'Policy',
    `This approval is about a change of ${plain(typeof kind === 'string' ? kind : 'an unknown kind')}. A charter says nothing about such a change, so this program cannot verify it.`,
  );
  const content = Content.safeParse(envelope).data;
  const change = Change.safeParse(content?.change).data;
  if (!content || !change)
    throw new NotVerified('The content of this change has another form than this release of the program knows.');
  const {
    kind: _kind,
    operationKind: _operation,
    entityId,
    requester,
    baseVersion,
    change: _change,
    before: _before,
    ...more
  } = content;
  const { status, ...written } = change;
  const known = { policyId: entityId, requester, baseVersion, more };
  return { ...known, after: status === 'Archived' ? undefined : contentOf(written) };
}

/** The service stores null if the body has no filters. */
function contentOf({ filters, ...written }: Readonly<Record<string, unknown>>): CharterPolicyContent {
  try {
    const content = policyAsked({ body: JSON.stringify({ ...written, ...(filters === null ? {} : { filters }) }) });
    if (content) return content;
  } catch {
    // The content is untrusted text, so any error of its parser means that the content is not a policy of a charter.
  }
  throw new NotVerified('The change gives the policy a content that no charter can have.');
}

/** Throws `NotVerified` unless the charter contains the policy in the version on which the change is based. */
export function policyBefore(charter: CharterInForce, { policyId, baseVersion }: PolicyChange) {
  const policy = amendedPolicy(charter, policyId);
  if (!policy)
    throw new NotVerified(`The approval changes the policy ${policyId}, which the charter that you trust does not have.`);
  assertVerified(
    policy.version === baseVersion,
    `The change is based on version ${baseVersion} of the policy ${policyId}. The charter that you trust has version ${policy.version}.`,
  );
  return policy;
}
