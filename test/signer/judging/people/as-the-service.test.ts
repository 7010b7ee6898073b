import { digestOf } from '../../../../platform/canonical';
import { actionOf, type Chartered, HELD_WALLET_ID, openChartered } from '../../charters/chartered';
import { NOW_MS, ORG, refusedAs } from '../../fixtures';

let office: Chartered;
beforeEach(async () => {
  office = await openChartered();
});
afterEach(() => office.close());

test('a vote counts at the path without a version too', async () => {
  const { signer, people, held, adopt } = office;
  await adopt();
  const { ada, ben, cyd } = people;
  const voted = (path: (approvalId: string) => string) => {
    const order = held(ada, [ben, cyd]);
    const approval = order.evidence.find((one) => one.kind === 'Approval');
    if (approval?.kind !== 'Approval') throw new Error('no approval');
    const { approvalId, digest } = approval;
    const vote = actionOf('Approver', cyd, {
      path: path(approvalId),
      body: JSON.stringify({ value: 'Approved' }),
      approvalDigest: digest,
    });
    return signer.signTransfer({ ...order, evidence: [...order.evidence.slice(0, -1), vote] });
  };
  await expect(voted((id) => `/policy-approvals/${id}/decisions`)).resolves.toBeDefined();
  await expect(voted((id) => `/v1/policy-approvals/${id}/decisions`)).rejects.toEqual(refusedAs('VotesMissing'));
  await expect(voted((id) => `/policy-approvals/${id}`)).rejects.toEqual(refusedAs('VotesMissing'));
  await expect(voted(() => '/policy-approvals/ap-other/decisions')).rejects.toEqual(refusedAs('VotesMissing'));
});

test('a decision on several approvals counts at the path without a version too', async () => {
  const { signer, people, transfer, approved, adopt, keys } = office;
  await adopt();
  const order = transfer(people.ada, { walletId: HELD_WALLET_ID });
  expect(order.keyId).toBe(keys.held.sealed.keyId);
  const { approval, votes } = approved(order, [people.ben]);
  const { approvalId, digest } = approval;
  const list = [{ approvalId, digest }];
  const bulk = {
    ...actionOf('Approver', people.cyd, {
      path: '/policy-approvals/decisions',
      body: JSON.stringify({ decisions: [{ approvalId, value: 'Approved' }] }),
      approvalDigest: digestOf({ v: 1, decisions: list }),
    }),
    decided: JSON.stringify(list),
  };
  await expect(signer.signTransfer({ ...order, evidence: [...order.evidence, approval, ...votes, bulk] })).resolves.toBeDefined();
});

test('a release of a freeze counts with a trailing slash, and of no other freeze', async () => {
  const { signer, people, adopt } = office;
  await adopt();
  const moment = { issuedAt: new Date(NOW_MS).toISOString(), notAfter: new Date(NOW_MS + 1_000).toISOString() };
  const freeze = { orgId: ORG, freezeId: 'frz-1', ...moment };
  await signer.setFreeze({ ...freeze, evidence: [], target: { kind: 'Organization' } });
  const release = (path: string) =>
    signer.releaseFreeze({ ...freeze, evidence: [actionOf('Initiator', people.ada, { method: 'DELETE', path })] });
  for (const path of ['/freezes/frz-1//', '/freezes/frz-1/2', '/freezes/', '/freezes/frz-1/?a'])
    await expect(release(path)).rejects.toEqual(refusedAs('RequestMismatch'));
  await expect(release('/freezes/frz-1/')).resolves.toBeDefined();
});
