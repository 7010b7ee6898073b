import type { ApprovalGroup } from '../../../domain/approvals';
import { digestOf } from '../../../platform/canonical';
import type { Charter } from '../../../signer/charters/charter';
import { type CharterInForce, charterInForce } from '../../../signer/charters/charter-in-force';
import { createAnchors } from '../../../signer/record/anchors';
import type { Evidence } from '../../../signer/record/evidence';
import { type Action, actionOf, keyHolder, type Person, passkeyHolder, voteOf } from '../../signer/charters/chartered';
import { ORG, SIGNER, type Travelling, VOUCHED_AT } from './fleet';
import { evm, evmPayment } from './payments';

const VOUCHED_MS = Date.parse(VOUCHED_AT);
const anchors = createAnchors({ signerId: SIGNER, key: Buffer.alloc(32, 5) });
const anchorAt = (timeMs = VOUCHED_MS): string => anchors.make(timeMs);

export const people = {
  ada: { ...keyHolder('ada'), anchorAt },
  ben: { ...passkeyHolder('ben'), anchorAt },
  cyd: { ...keyHolder('cyd'), anchorAt },
} satisfies Record<string, Person>;
const approvers = [people.ben, people.cyd].map(({ userId }) => userId);
const POLICY_ID = 'plc-offline';
const GROUP_ID = 'grp-offline';

export const [FREE, HELD] = ['wa-free', 'wa-held'] as const;
const addressOf = (index: number) => evm.addressOf(evmPayment('x', { index }).key.publicKey);
const walletOf = (id: string, keyId: string, index: number, tags: string[]) => ({
  ...{ id, keyId, network: 'EthereumSepolia', address: addressOf(index), tags },
});

const content: Charter = {
  ...{ v: 1, signerId: SIGNER, organizationId: ORG, sequence: 3, previous: '0'.repeat(64), dateIssued: VOUCHED_AT },
  members: Object.values(people).map(({ userId, credential }) => ({
    ...{ userId, hand: userId, isServiceAccount: false, credentials: [credential] },
  })),
  wallets: [walletOf(FREE, 'key-1', 0, []), walletOf(HELD, 'key-2', 1, ['treasury'])],
  ...{ feeSponsors: [], registryAddresses: [], changePolicies: [], limits: [] },
  policies: [
    {
      ...{ id: POLICY_ID, name: 'Two officers', version: 1, activityKind: 'Wallets:Sign', rule: { kind: 'AlwaysTrigger' } },
      action: {
        kind: 'RequestApproval',
        approvalGroups: [{ id: GROUP_ID, quorum: 2, approvers: { userId: { in: approvers } } }],
      },
      ...{ filters: { walletTags: { hasAny: ['treasury'] } }, mode: 'Enforce' },
    },
  ],
};
/** The charter blocks every request whose key is in this store, or in any other store. */
export const storeCharter = (storeId: { readonly in: string[] } | { readonly notIn: string[] }): CharterInForce =>
  charter({ policies: content.policies.map((policy) => ({ ...policy, action: { kind: 'Block' }, filters: { storeId } })) });

export const charter = (changes: Partial<Charter> = {}): CharterInForce =>
  charterInForce({ ...content, ...changes }, '1'.repeat(64));

type Asked = {
  readonly by?: Person;
  readonly body?: object;
  readonly walletId?: string;
  readonly anchor?: string | null;
  readonly voters?: readonly Person[];
  /** Changes of the content that the approvers sign. */
  readonly seen?: object;
};

/** The signed request for the payment and, with voters, its approval. */
export function evidenceFor({ order }: Travelling, asked: Asked = {}): Evidence[] {
  const { by = people.ada, body = {}, walletId = FREE, voters, seen = {} } = asked;
  const intent = order['intent'] as { from: string; to: string; amountUnits: string };
  const text = JSON.stringify({ kind: 'Native', to: intent.to, amount: intent.amountUnits, ...body });
  const said = {
    path: `/wallets/${walletId}/transfers`,
    body: text,
    ...(asked.anchor === undefined ? {} : { anchor: asked.anchor }),
  };
  const initiator: Action = actionOf('Initiator', by, said);
  if (voters === undefined) return [initiator];
  const group: ApprovalGroup = {
    policyId: POLICY_ID,
    groupId: GROUP_ID,
    name: null,
    quorum: 2,
    voterIds: approvers,
    denierIds: [],
  };
  const { from, to, amountUnits } = intent;
  const { network, feeCeilingUnits } = order;
  const committed = {
    ...{ v: 1, org: ORG, activityKind: 'Wallets:Sign', activityId: order.requestId },
    envelope: { network, from, to, asset: 'native', amountUnits, feeCeilingUnits, ...seen },
    ...{ policies: [{ id: POLICY_ID, version: 1 }], groups: [group], credentials: [] },
  };
  const json = JSON.stringify(committed);
  const digest = digestOf(JSON.parse(json));
  const approvalId = `ap-${order.requestId}`;
  return [
    initiator,
    { kind: 'Approval', approvalId, digest, committed: json },
    ...voters.map((one) => voteOf(one, { approvalId, digest })),
  ];
}

/** The payment with evidence. */
export function asked(payment: Travelling, given: Asked = {}): Travelling {
  return { ...payment, order: { ...payment.order, evidence: evidenceFor(payment, given) } };
}

export const held = (requestId: string, given: Asked = {}, wanted: Parameters<typeof evmPayment>[1] = {}): Travelling =>
  asked(evmPayment(requestId, { keyId: 'key-2', index: 1, ...wanted }), { walletId: HELD, ...given });
