import { randomBytes } from 'node:crypto';
import { digestOf } from '../platform/canonical';
import { newId } from '../platform/ids';
import type { Charter, CharterWallet } from '../signer/charters/charter';
import type { CreatedKey, SignerClient, SignTransferOrder } from '../signer/protocol';
import type { Evidence } from '../signer/record/evidence';
import { createSignatory, type Signatory, type SignatoryForm, signedRequest } from './signatory';
import { TRANSFER_NETWORK, transferCodec, transferOrder } from './transfer-order';

/** Transfers from wallets with this tag need votes of two of the three officers. */
const HELD_TAG = 'treasury';
const GROUP = 'officers';
const QUORUM = 2;
const VALUE_USD_MICRO = '1000000';

/** An `Alone` order does not need an approval, and an `Approved` order needs the approval of two people. */
export const JUDGED_CASES = ['Alone', 'Approved'] as const;
export type JudgedCase = (typeof JUDGED_CASES)[number];
type Content = Omit<Charter, 'signerId' | 'sequence' | 'previous' | 'dateIssued'>;

export type JudgedOrganization = {
  /** The content of the smallest charter under which the signer accepts the orders. */
  readonly content: Content;
  readonly officers: readonly Signatory[];
  /** A new order with all requests and votes that people signed for this order. */
  readonly order: (judged: JudgedCase) => SignTransferOrder;
};

type Wallet = { readonly key: CreatedKey; readonly row: CharterWallet };

async function createWallet(client: SignerClient, orgId: string, tags: string[]): Promise<Wallet> {
  const key = await client.createKey({ orgId, keyId: newId('key'), scheme: 'ECDSA', curve: 'secp256k1' });
  const address = transferCodec.addressOf(key.publicKeyHex);
  return { key, row: { id: newId('wallet'), keyId: key.sealed.keyId, network: TRANSFER_NETWORK, address, tags } };
}

const bareMember = ({ userId, credential }: Signatory) => ({
  userId,
  hand: userId,
  isServiceAccount: false,
  credentials: [credential],
});

type Policy = Charter['policies'][number];
const holding = (tag: string, approvers: readonly string[]): Policy => ({
  id: newId('policy'),
  name: `Transfers of ${tag}`,
  version: 1,
  activityKind: 'Wallets:Sign',
  rule: { kind: 'AlwaysTrigger' },
  action: {
    kind: 'RequestApproval',
    approvalGroups: [{ id: GROUP, name: 'Officers', quorum: QUORUM, approvers: { userId: { in: [...approvers] } } }],
  },
  filters: { walletTags: { hasAny: [tag] } },
  mode: 'Enforce',
});

/** Creates an initiator, three officers and two wallets. The policy holds only the transfers from the second wallet. */
export async function createJudgedOrganization(client: SignerClient, form: SignatoryForm): Promise<JudgedOrganization> {
  const orgId = newId('organization');
  const initiator = createSignatory(form);
  const officers = Array.from({ length: 3 }, () => createSignatory(form));
  const officerIds = officers.map(({ userId }) => userId);
  const wallets = { Alone: await createWallet(client, orgId, []), Approved: await createWallet(client, orgId, [HELD_TAG]) };
  const policy = holding(HELD_TAG, officerIds);
  // The signer accepts new actions under this anchor for seven minutes, which is longer than the measurement takes.
  const { anchor } = await client.anchor();
  let nonce = 0;

  const approval = ({ requestId, network, feeCeilingUnits, intent }: SignTransferOrder): Evidence[] => {
    const { from, to, amountUnits } = intent;
    const group = { policyId: policy.id, groupId: GROUP, name: 'Officers', quorum: QUORUM, voterIds: officerIds, denierIds: [] };
    const content = {
      ...{ v: 1, org: orgId, activityKind: 'Wallets:Sign', activityId: requestId },
      envelope: { network, from, to, asset: 'native', amountUnits, feeCeilingUnits },
      policies: [{ id: policy.id, version: 1 }],
      groups: [group],
      credentials: [],
    };
    const [approvalId, digest] = [newId('approval'), digestOf(content)];
    const [path, body] = [`/v2/policy-approvals/${approvalId}/decisions`, JSON.stringify({ value: 'Approved' })];
    const votes = officers
      .slice(0, QUORUM)
      .map((one) => signedRequest('Approver', one, { orgId, path, body, approvalDigest: digest, anchor }));
    return [{ kind: 'Approval', approvalId, digest, committed: JSON.stringify(content) }, ...votes];
  };

  return {
    officers,
    content: {
      v: 1,
      organizationId: orgId,
      members: [initiator, ...officers].map(bareMember),
      wallets: [wallets.Alone.row, wallets.Approved.row],
      changePolicies: [],
      limits: [],
      feeSponsors: [],
      registryAddresses: [],
      policies: [policy],
    },
    order(judged) {
      const { key, row } = wallets[judged];
      nonce += 1;
      const externalId = `payout-${nonce}`;
      const order: SignTransferOrder = transferOrder(key, nonce, externalId);
      const { to, amountUnits: amount } = order.intent;
      const body = JSON.stringify({ kind: 'Native', to, amount, externalId });
      const asked = { orgId, path: `/wallets/${row.id}/transfers`, body, approvalDigest: null, anchor };
      const evidence = [signedRequest('Initiator', initiator, asked), ...(judged === 'Approved' ? approval(order) : [])];
      return { ...order, evidence, attested: { amountUsdMicro: VALUE_USD_MICRO } };
    },
  };
}

/** A policy that applies to every order, because it has no filter. No order reaches its limit. */
const limiting = (approvers: readonly string[]): Policy => ({
  ...holding('', approvers),
  name: 'Above a million dollars',
  rule: { kind: 'TransactionAmountLimit', configuration: { limit: 1_000_000, currency: 'USD' } },
  filters: null,
});

/** Adds `members` members, twice as many wallets and half as many policies. Every second added policy applies to all orders. */
export function enlarged({ content, officers }: JudgedOrganization, members: number): Content {
  const approvers = officers.map(({ userId }) => userId);
  const wallet = (at: number): CharterWallet => ({
    id: newId('wallet'),
    keyId: newId('key'),
    network: TRANSFER_NETWORK,
    address: `0x${randomBytes(20).toString('hex')}`,
    tags: [`desk-${at % members}`],
  });
  const policy = (at: number) => (at % 2 === 0 ? limiting(approvers) : holding(`desk-${at}`, approvers));
  return {
    ...content,
    members: [...content.members, ...Array.from({ length: members }, () => bareMember(createSignatory('Ed25519 keys')))],
    wallets: [...content.wallets, ...Array.from({ length: 2 * members }, (_, at) => wallet(at))],
    policies: [...content.policies, ...Array.from({ length: Math.floor(members / 2) }, (_, at) => policy(at))],
  };
}
