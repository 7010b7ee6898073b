import { createSignatory, type Signatory, signedRequest } from '../bench/signatory';
import { CHARTER_OPERATION_IDS } from '../domain/charters';
import { digestOf } from '../platform/canonical';
import { newId } from '../platform/ids';
import type { Charter } from '../signer/charters/charter';
import type { Evidence } from '../signer/record/evidence';
import { seeing } from './seen';

export type Action = Extract<Evidence, { readonly kind: 'Initiator' | 'Approver' }>;
export type Approval = Extract<Evidence, { readonly kind: 'Approval' }>;
type Json = Parameters<typeof digestOf>[0];

export const HELD_TAG = 'treasury';
export const LISTED_TAG = 'listed';
export const PACED_TAG = 'paced';
/** The policy for this tag permits `limit` requests in `timeframe` minutes. */
export const PACE = { limit: 3, timeframe: 1_440 } as const;
const GROUP_ID = 'officers';
const QUORUM = 2;
/** The number of members who do not make requests and exist only so that a restriction can remove them. */
const LEAVERS = 3;
const BULK_PATH = '/v2/policy-approvals/decisions';

/**
 * The people of the organisation, an end user, and a stranger. The end user has removed the credential `former`, and still has
 * the credential `spare`. All of them sign under the signer's newest anchor.
 */
export function createPeople(orgId: string, anchorNow: () => string) {
  const [ada, cyd, bot, eve, stranger, dan, zoe] = Array.from({ length: 7 }, () => createSignatory('Ed25519 keys')) as [
    Signatory,
    Signatory,
    Signatory,
    Signatory,
    Signatory,
    Signatory,
    Signatory,
  ];
  const [former, spare] = (['Ed25519 keys', 'ES256 passkeys'] as const).map((form) => ({
    ...createSignatory(form),
    userId: zoe.userId,
  })) as [Signatory, Signatory];
  const ben = createSignatory('ES256 passkeys');
  const leavers = Array.from({ length: LEAVERS }, () => createSignatory('Ed25519 keys'));
  const mute = CHARTER_OPERATION_IDS.filter((name) => name !== 'createApprovalDecision');
  const danWithoutVote = { ...dan, credential: { ...dan.credential, operations: mute } };
  const voterIds = [ben, cyd, bot, dan].map(({ userId }) => userId);
  const holding = { id: newId('policy'), version: 1 };
  const memberOf = ({ userId, credential }: Signatory, hand = userId): Charter['members'][number] => ({
    ...{ userId, hand, isServiceAccount: hand !== userId, credentials: [credential] },
  });
  const weak = CHARTER_OPERATION_IDS.filter((name) => name === 'createApprovalDecision');
  const eveAsVoter = { ...eve, credential: { ...eve.credential, operations: weak } };

  /** The evidence of a request that the person signed. */
  const asked = (
    by: Signatory,
    path: string,
    body: object | string,
    { isBlind = false, ...more }: { method?: 'PUT' | 'DELETE'; expiresInMs?: number; isBlind?: boolean } = {},
  ) =>
    signedRequest('Initiator', isBlind ? by : seeing(by), {
      ...{
        orgId,
        path,
        body: typeof body === 'string' ? body : JSON.stringify(body),
        approvalDigest: null,
        anchor: anchorNow(),
        ...more,
      },
    });

  const voteOf = (
    by: Signatory,
    { approvalId, digest }: Pick<Approval, 'approvalId' | 'digest'>,
    value = 'Approved',
    { method = 'POST', isBlind = false }: { method?: 'POST' | 'DELETE'; isBlind?: boolean } = {},
  ): Action =>
    signedRequest('Approver', isBlind ? by : seeing(by), {
      ...{
        orgId,
        method,
        path: `/v2/policy-approvals/${approvalId}/decisions`,
        body: JSON.stringify({ value }),
        approvalDigest: digest,
        anchor: anchorNow(),
      },
    });

  /** A decision on several approvals at once. */
  const bulkVoteOf = (
    by: Signatory,
    listed: readonly { approvalId: string; digest: string | null }[],
    value = 'Approved',
    path = BULK_PATH,
  ) => ({
    ...signedRequest('Approver', seeing(by), {
      orgId,
      path,
      body: JSON.stringify({ decisions: listed.map(({ approvalId }) => ({ approvalId, value })) }),
      approvalDigest: digestOf({ v: 1, decisions: listed.map(({ approvalId, digest }) => ({ approvalId, digest })) }),
      anchor: anchorNow(),
    }),
    decided: JSON.stringify(listed),
  });

  const approvalOf = (requestId: string, envelope: object, changes: object = {}): Approval => {
    const group = { policyId: holding.id, groupId: GROUP_ID, name: 'Officers', quorum: QUORUM, voterIds, denierIds: [] };
    const committed = {
      ...{ v: 1, org: orgId, activityKind: 'Wallets:Sign', activityId: requestId, envelope },
      ...{ policies: [holding], groups: [group], credentials: [], ...changes },
    };
    const text = JSON.stringify(committed);
    return { kind: 'Approval', approvalId: newId('approval'), digest: digestOf(JSON.parse(text) as Json), committed: text };
  };

  const approvers = { userId: { in: voterIds } };
  const group = { id: GROUP_ID, name: 'Officers', quorum: QUORUM, approvers, serviceAccountsCanApprove: true };
  const policyOn = (tag: string, rule: Charter['policies'][number]['rule'], id: string): Charter['policies'][number] => ({
    ...{ id, name: tag, version: 1, activityKind: 'Wallets:Sign', rule, mode: 'Enforce' },
    action: tag === HELD_TAG ? { kind: 'RequestApproval', approvalGroups: [group] } : { kind: 'Block' },
    filters: { walletTags: { hasAny: [tag] } },
  });
  return {
    ...{
      ada,
      ben,
      cyd,
      bot,
      eve: eveAsVoter,
      dan: danWithoutVote,
      stranger,
      zoe,
      former,
      spare,
      leavers,
      asked,
      voteOf,
      bulkVoteOf,
      approvalOf,
    },
    members: [
      memberOf(ada),
      memberOf(ben),
      memberOf(cyd),
      memberOf(bot, ben.userId),
      memberOf(eveAsVoter),
      memberOf(danWithoutVote),
      ...leavers.map((one) => memberOf(one)),
    ],
    policies: (listed: string): Charter['policies'] => [
      policyOn(HELD_TAG, { kind: 'AlwaysTrigger' }, holding.id),
      policyOn(LISTED_TAG, { kind: 'TransactionRecipientWhitelist', configuration: { addresses: [listed] } }, newId('policy')),
      policyOn(PACED_TAG, { kind: 'TransactionCountVelocity', configuration: PACE }, newId('policy')),
    ],
  };
}
export type People = ReturnType<typeof createPeople>;

/** A user's request to deactivate one of the user's own credentials. */
export const removalBy = ({ asked }: Pick<People, 'asked'>, by: Signatory, { credential }: Signatory) =>
  asked(by, '/auth/credentials/deactivate', { credentialUuid: credential.id }, { method: 'PUT' });
