import { MINUTE_MS } from '../../../../domain/durations';
import { readCharter } from '../../../../signer/charters/charter';
import { type Chartered, GROUP_ID, HELD_WALLET_ID, openChartered, POLICY_ID } from '../../charters/chartered';
import { NOW_MS, refusedAs } from '../../fixtures';

const AFTER_MINUTES = 30;
const missing = refusedAs('VotesMissing');

let office: Chartered;
beforeEach(async () => {
  office = await openChartered();
});
afterEach(() => office.close());

type Name = keyof Chartered['people'];
type Group = { readonly first: readonly Name[] | 'everyone'; readonly later: readonly Name[] };
type Committed = { readonly first: readonly Name[]; readonly later: readonly Name[]; readonly voted: Name; readonly by?: Name };

const idsOf = (names: readonly Name[]) => names.map((name) => office.people[name].userId);

/** One vote is enough: by a voter on the first list or, after `AFTER_MINUTES`, by a voter on the later list. */
async function adopt({ first, later }: Group): Promise<void> {
  const group = {
    ...{ id: GROUP_ID, name: 'Officers', quorum: 1, serviceAccountsCanApprove: true },
    approvers: first === 'everyone' ? {} : { userId: { in: idsOf(first) } },
    escalation: { afterMinutes: AFTER_MINUTES, approvers: { userId: { in: idsOf(later) } } },
  };
  const policies = office.charter.policies.map((policy) => ({
    ...policy,
    action: { kind: 'RequestApproval', approvalGroups: [group] },
  }));
  const charter = readCharter(JSON.stringify({ ...office.charter, policies }));
  if (!charter) throw new Error('the charter is malformed');
  await office.adopt(charter);
}

/** Signs `afterMs` after the anchor of the request. The service claims that the escalation was due from the beginning. */
async function paying(afterMs: number, { first, later, voted, by = 'ada' }: Committed) {
  const anchoredMs = NOW_MS - afterMs;
  const signed = { anchor: office.anchorAt(anchoredMs), expiresMs: anchoredMs + MINUTE_MS };
  const order = office.transfer(office.people[by], { walletId: HELD_WALLET_ID, ...signed });
  const escalation = { from: new Date(0).toISOString(), voterIds: idsOf(later), denierIds: [] };
  const seats = { name: 'Officers', quorum: 1, voterIds: idsOf(first), denierIds: [], escalation };
  const groups = [{ policyId: POLICY_ID, groupId: GROUP_ID, ...seats }];
  const { approval, votes } = office.approved(order, [office.people[voted]], { groups });
  return office.signer.signTransfer({ ...order, evidence: [...order.evidence, approval, ...votes] });
}

const DELAY_MS = AFTER_MINUTES * MINUTE_MS;
const CYD_LATER = { first: ['ben'], later: ['cyd'] } as const;

test('the vote of an added voter is accepted once the delay since the anchor of the request has passed, and not before', async () => {
  await adopt(CYD_LATER);
  await expect(paying(DELAY_MS - 1, { ...CYD_LATER, voted: 'cyd' })).rejects.toEqual(missing);
  await expect(paying(DELAY_MS, { ...CYD_LATER, voted: 'cyd' })).resolves.toBeDefined();
});

test('votes of the first list are accepted at any time', async () => {
  await adopt(CYD_LATER);
  for (const afterMs of [0, DELAY_MS]) await expect(paying(afterMs, { ...CYD_LATER, voted: 'ben' })).resolves.toBeDefined();
});

test('a voter of the later list cannot vote at once, even if the service puts the voter on the first list', async () => {
  await adopt(CYD_LATER);
  const put = { first: ['ben', 'cyd'], later: [], voted: 'cyd' } as const;
  await expect(paying(DELAY_MS, put)).rejects.toEqual(refusedAs('ApprovalMismatch'));
});

test('a service account that only the later list contains is not included in a first list of everyone', async () => {
  await adopt({ first: 'everyone', later: ['bot'] });
  await expect(paying(DELAY_MS, { first: ['bot'], later: [], voted: 'bot' })).rejects.toEqual(missing);
  await expect(paying(DELAY_MS, { first: ['cyd'], later: ['bot'], voted: 'bot' })).resolves.toBeDefined();
});

test('a vote from another account of the initiator is rejected, whichever list contains the account', async () => {
  await adopt({ first: ['cyd'], later: ['bot'] });
  const bot = { first: ['cyd'], later: ['bot'], voted: 'bot' } as const;
  await expect(paying(DELAY_MS, bot)).resolves.toBeDefined();
  await expect(paying(DELAY_MS, { ...bot, by: 'ben' })).rejects.toEqual(missing);
});

test('without an escalation in the charter, a later list from the service is ignored', async () => {
  await office.adopt();
  await expect(paying(DELAY_MS, { first: ['ben'], later: ['cyd'], voted: 'cyd' })).rejects.toEqual(refusedAs('ApprovalMismatch'));
});
