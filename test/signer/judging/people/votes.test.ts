import { digestOf } from '../../../../platform/canonical';
import { type Approved, actionOf, type Chartered, HELD_WALLET_ID, openChartered, type Said } from '../../charters/chartered';
import { refusedAs } from '../../fixtures';

const OTHER_DIGEST = 'ab'.repeat(32);

let office: Chartered;
beforeAll(async () => {
  office = await openChartered();
  await office.adopt();
});
afterAll(() => office.close());

type Approval = Approved['approval'];
type Vote = Said & { readonly decided?: string };

/** The signature of a held transfer. Ben voted for it, and Cyd signed the given vote. */
function paying(voteFor: (approval: Approval) => Vote) {
  const { people, transfer, approved, signer } = office;
  const order = transfer(people.ada, { walletId: HELD_WALLET_ID });
  const { approval, votes } = approved(order, [people.ben]);
  const { decided, ...said } = voteFor(approval);
  const vote = { ...actionOf('Approver', people.cyd, said), ...(decided === undefined ? {} : { decided }) };
  return signer.signTransfer({ ...order, evidence: [...order.evidence, approval, ...votes, vote] });
}

const single = ({ approvalId, digest }: Approval): Vote => ({
  path: `/v2/policy-approvals/${approvalId}/decisions`,
  body: JSON.stringify({ value: 'Approved' }),
  approvalDigest: digest,
});

type Decided = { readonly approvalId: string; readonly digest: string; readonly value: 'Approved' | 'Denied' };
const bulk = (decisions: readonly Decided[]): Vote => {
  const list = decisions.map(({ approvalId, digest }) => ({ approvalId, digest }));
  return {
    path: '/v2/policy-approvals/decisions',
    body: JSON.stringify({ decisions: decisions.map(({ approvalId, value }) => ({ approvalId, value })) }),
    approvalDigest: digestOf({ v: 1, decisions: list }),
    decided: JSON.stringify(list),
  };
};

test.each<[string, (approval: Approval) => Vote]>([
  ['one approval', single],
  [
    'several approvals',
    ({ approvalId, digest }) =>
      bulk([
        { approvalId: 'ap-other', digest: OTHER_DIGEST, value: 'Denied' },
        { approvalId, digest, value: 'Approved' },
      ]),
  ],
])('a decision on %s is accepted', async (_what, voteFor) => {
  await expect(paying(voteFor)).resolves.toBeDefined();
});

test.each<[string, (approval: Approval) => Vote]>([
  ['with a different method', (approval) => ({ ...single(approval), method: 'PUT' })],
  ['on different content under the id of the approval', (approval) => ({ ...single(approval), approvalDigest: OTHER_DIGEST })],
  ['without content', (approval) => ({ ...single(approval), approvalDigest: null })],
  [
    'on several approvals that approves different content and denies this content',
    ({ approvalId, digest }) =>
      bulk([
        { approvalId, digest: OTHER_DIGEST, value: 'Approved' },
        { approvalId: 'ap-other', digest, value: 'Denied' },
      ]),
  ],
])('a decision %s is rejected', async (_what, voteFor) => {
  await expect(paying(voteFor)).rejects.toEqual(refusedAs('VotesMissing'));
});
