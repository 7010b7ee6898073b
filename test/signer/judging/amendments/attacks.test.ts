import { MINUTE_MS } from '../../../../domain/durations';
import { type Chartered, HELD_TAG, HELD_WALLET_ID, keyHolder, openChartered, POLICY_ID } from '../../charters/chartered';
import { keyOrder, NOW_MS, orderFor, refusedAs } from '../../fixtures';
import { amendmentBy, approvalOf, charterNow, GUARD_ID, guardOf } from './amending';

const NEW_WALLET = { walletId: 'wa-new', keyId: 'key-new' };
let office: Chartered;
beforeEach(async () => {
  office = await openChartered();
});
afterEach(() => office.close());

const later = (afterMs: number) => {
  office.clock.nowMs = NOW_MS + afterMs;
};
const walletFor = (given: Partial<typeof NEW_WALLET> = {}) =>
  amendmentBy({
    by: office.people.ada,
    amendment: { kind: 'createWallet', ...NEW_WALLET, ...given },
    body: { network: 'EthereumSepolia' },
  });

test('a key that the signer made before the organisation had a charter cannot get a wallet, because it might have signed anything', async () => {
  const key = await office.signer.createKey(keyOrder(NEW_WALLET.keyId));
  await office.signer.signTransfer(orderFor(key, 'xfr-stored', { nonce: 0 }));
  await office.adopt();
  await expect(office.signer.amendCharter(walletFor())).rejects.toEqual(refusedAs('KeyRowMismatch'));
  await office.signer.createKey(keyOrder(NEW_WALLET.keyId));
  await expect(office.signer.amendCharter(walletFor())).rejects.toEqual(refusedAs('KeyRowMismatch'));
  await office.signer.createKey(keyOrder('key-later'));
  await expect(office.signer.amendCharter(walletFor({ keyId: 'key-later' }))).resolves.toMatchObject({ sequence: 2 });
});

test('if a policy was removed from one list of the charter, an earlier change of the policy cannot put it into the other list', async () => {
  const { ada } = office.people;
  await office.adopt();
  const params = { policyId: POLICY_ID };
  const withheld = amendmentBy({
    by: ada,
    amendment: { kind: 'updatePolicy', version: 2, groupIds: [] },
    params,
    body: { name: 'Moved', activityKind: 'Policies:Modify', rule: { kind: 'AlwaysTrigger' }, action: { kind: 'NoAction' } },
  });
  later(MINUTE_MS + 1);
  await office.signer.amendCharter(amendmentBy({ by: ada, amendment: { kind: 'archivePolicy' }, params }));
  await expect(office.signer.amendCharter(withheld)).rejects.toEqual(refusedAs('AmendmentStale'));
  expect(charterNow(office).changePolicies).toEqual([]);
});

test('a member cannot escape a removal by changing their own credentials in the meantime', async () => {
  const { ada, cyd } = office.people;
  const spare = keyHolder('spare').credential;
  const members = office.charter.members.map((member) =>
    member.userId === cyd.userId ? { ...member, credentials: [...member.credentials, spare] } : member,
  );
  await office.adopt({ ...office.charter, members });
  const removal = amendmentBy({ by: ada, amendment: { kind: 'deactivateUser' }, params: { userId: cyd.userId } });
  later(MINUTE_MS + 1);
  const body = { credentialUuid: spare.id };
  await office.signer.amendCharter(amendmentBy({ by: cyd, amendment: { kind: 'deactivateCredential' }, body }));
  await office.signer.amendCharter(removal);
  expect(charterNow(office).members).toEqual(office.charter.members.filter(({ userId }) => userId !== cyd.userId));
});

test('a removal that was signed before the operator’s next charter does not remove a member of that charter', async () => {
  const { ada, cyd } = office.people;
  await office.adopt();
  const removal = amendmentBy({ by: ada, amendment: { kind: 'deactivateUser' }, params: { userId: cyd.userId } });
  later(MINUTE_MS + 1);
  await office.adopt(office.next({}));
  await expect(office.signer.amendCharter(removal)).rejects.toEqual(refusedAs('AmendmentStale'));
});

test('a new wallet does not replace a sponsor’s wallet that is missing from the charter', async () => {
  await office.adopt({ ...office.charter, feeSponsors: [{ id: 'fs-1', walletId: NEW_WALLET.walletId }] });
  await office.signer.createKey(keyOrder(NEW_WALLET.keyId));
  await expect(office.signer.amendCharter(walletFor())).rejects.toEqual(refusedAs('RequestMismatch'));
  await expect(office.signer.amendCharter(walletFor({ walletId: 'wa-other' }))).resolves.toBeDefined();
});

const CONTENT = { name: 'Other', activityKind: 'Wallets:Sign', rule: { kind: 'AlwaysTrigger' }, action: { kind: 'NoAction' } };
const updateOf = (policyId: string, changes: object = {}, given: { changeRequestId?: string } = {}) =>
  amendmentBy({
    by: office.people.ada,
    amendment: { kind: 'updatePolicy', version: 2, groupIds: [], ...given },
    params: { policyId },
    body: { ...CONTENT, ...changes },
  });

test('members cannot add a policy that blocks every change of policies', async () => {
  const { ada } = office.people;
  await office.adopt();
  const body = { ...CONTENT, activityKind: 'Policies:Modify', action: { kind: 'Block' } };
  const amendment = { kind: 'createPolicy' as const, policyId: 'plc-block', version: 1, groupIds: [] };
  await expect(office.signer.amendCharter(amendmentBy({ by: ada, amendment, body }))).rejects.toEqual(
    refusedAs('RequestMismatch'),
  );
  await expect(office.signer.amendCharter(updateOf(POLICY_ID, body))).rejects.toEqual(refusedAs('RequestMismatch'));
  expect(charterNow(office)).toEqual(office.charter);
});

test('one member cannot bypass a policy on changes that needs two others', async () => {
  const { ada, ben, cyd } = office.people;
  await office.adopt({ ...office.charter, changePolicies: [guardOf([ben, cyd])] });
  const archiveOf = (policyId: string) => amendmentBy({ by: ada, amendment: { kind: 'archivePolicy' }, params: { policyId } });
  const untag = amendmentBy({
    by: ada,
    amendment: { kind: 'untagWallet' },
    params: { walletId: HELD_WALLET_ID },
    body: { tags: [HELD_TAG, 'none'] },
  });
  const moved = { activityKind: 'Policies:Modify' };
  const ways = [
    ...[updateOf(POLICY_ID), updateOf(POLICY_ID, { mode: 'Shadow' }), updateOf(POLICY_ID, { ...moved })],
    ...[updateOf(POLICY_ID, { activityKind: 'Registry:Addresses:Modify' }), archiveOf(POLICY_ID), untag],
    ...[updateOf(GUARD_ID), updateOf(GUARD_ID, { ...moved, mode: 'Shadow' }), updateOf(GUARD_ID, moved), archiveOf(GUARD_ID)],
  ];
  for (const order of ways) await expect(office.signer.amendCharter(order)).rejects.toEqual(refusedAs('ApprovalMissing'));
  expect(charterNow(office).sequence).toBe(1);
});

test('removing voters does not lower a quorum, and neither the requester nor a removed member can vote', async () => {
  const { ada, ben, cyd } = office.people;
  await office.adopt({ ...office.charter, changePolicies: [guardOf([ada, ben, cyd])] });
  await office.signer.amendCharter(amendmentBy({ by: ada, amendment: { kind: 'archiveUser' }, params: { userId: cyd.userId } }));
  const change = { ...CONTENT, mode: 'Enforce', filters: null, status: 'Active' };
  const seen = { changeRequestId: 'cr-1', requester: ada, entityId: POLICY_ID, change };
  const order = updateOf(POLICY_ID, {}, { changeRequestId: 'cr-1' });
  const amend = (voters: (typeof ada)[]) =>
    office.signer.amendCharter({ ...order, evidence: [...order.evidence, ...approvalOf(seen, voters)] });
  await expect(amend([ada, ben])).rejects.toEqual(refusedAs('ApprovalMismatch'));
  await expect(amend([ben, cyd])).rejects.toEqual(refusedAs('VotesMissing'));
  await expect(amend([ben, ben])).rejects.toEqual(refusedAs('VotesMissing'));
});

test('a policy of the operator that blocks changes blocks even approved changes', async () => {
  const { ada, ben, cyd } = office.people;
  await office.adopt({ ...office.charter, changePolicies: [guardOf([ben, cyd], { action: { kind: 'Block' } })] });
  const change = { ...CONTENT, mode: 'Enforce', filters: null, status: 'Active' };
  const approval = approvalOf({ changeRequestId: 'cr-1', requester: ada, entityId: POLICY_ID, change }, [ben, cyd]);
  const order = updateOf(POLICY_ID, {}, { changeRequestId: 'cr-1' });
  await expect(office.signer.amendCharter({ ...order, evidence: [...order.evidence, ...approval] })).rejects.toEqual(
    refusedAs('PolicyBlocked'),
  );
});
