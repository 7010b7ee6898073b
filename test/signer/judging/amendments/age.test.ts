import { DAY_MS, MINUTE_MS } from '../../../../domain/durations';
import { type Chartered, openChartered, POLICY_ID, WALLET_ID } from '../../charters/chartered';
import { NOW_MS, refusedAs } from '../../fixtures';
import { amendmentBy, approvalOf, charterNow, guardOf } from './amending';

let office: Chartered;
beforeEach(async () => {
  office = await openChartered();
});
afterEach(() => office.close());

const signedAt = (timeMs: number) => ({ anchor: office.anchorAt(timeMs), expiresMs: timeMs + 10 * MINUTE_MS });
const tagging = (tag: string, signedAtMs: number, walletId = WALLET_ID) =>
  amendmentBy({
    by: office.people.ada,
    amendment: { kind: 'tagWallet' },
    params: { walletId },
    body: { tags: [tag] },
    signed: signedAt(signedAtMs),
  });
const tagsNow = () => charterNow(office).wallets.find(({ id }) => id === WALLET_ID)?.tags;

test('an amendment is accepted until a day after it was signed, and not a millisecond later', async () => {
  office.clock.nowMs = NOW_MS - 2 * DAY_MS;
  await office.adopt();
  office.clock.nowMs = NOW_MS;
  const late = office.signer.amendCharter(tagging('late', NOW_MS - DAY_MS - 1));
  await expect(late).rejects.toEqual(refusedAs('ActionTooOld'));
  await office.signer.amendCharter(tagging('kept', NOW_MS - DAY_MS));
  expect(tagsNow()).toEqual(['kept']);
});

test('a withheld change cannot undo a later change of the same item, and can still change another item', async () => {
  const { ada } = office.people;
  await office.adopt();
  const archive = amendmentBy({ by: ada, amendment: { kind: 'archivePolicy' }, params: { policyId: POLICY_ID } });
  const withheld = tagging('withheld', NOW_MS);
  office.clock.nowMs = NOW_MS + MINUTE_MS + 1;
  await office.signer.amendCharter(tagging('first', office.clock.nowMs));
  await expect(office.signer.amendCharter(withheld)).rejects.toEqual(refusedAs('AmendmentStale'));
  expect(tagsNow()).toEqual(['first']);
  await office.signer.amendCharter(archive);
  expect(charterNow(office).policies).toEqual([]);
});

test('changes that are signed within a minute may arrive in any order', async () => {
  await office.adopt();
  const withheld = tagging('withheld', NOW_MS);
  office.clock.nowMs = NOW_MS + MINUTE_MS;
  await office.signer.amendCharter(tagging('first', office.clock.nowMs));
  await office.signer.amendCharter(withheld);
  expect(tagsNow()).toEqual(['first', 'withheld']);
});

test('a change that was signed before the operator’s next charter does not change that charter, not even after a restart', async () => {
  await office.adopt();
  const withheld = tagging('withheld', NOW_MS);
  office.clock.nowMs = NOW_MS + MINUTE_MS + 1;
  await office.adopt(office.next({}));
  await expect(office.signer.amendCharter(withheld)).rejects.toEqual(refusedAs('AmendmentStale'));
  await office.signer.close();
  const again = await office.open();
  await expect(again.amendCharter(withheld)).rejects.toEqual(refusedAs('AmendmentStale'));
  await again.close();
});

test('an approved change may be older than a day, because its approvers saw the version in force', async () => {
  const { ada, ben, cyd } = office.people;
  const request = (signedAtMs: number) =>
    amendmentBy({
      by: ada,
      amendment: { kind: 'archivePolicy', changeRequestId: 'cr-1' },
      params: { policyId: POLICY_ID },
      signed: signedAt(signedAtMs),
    });
  office.clock.nowMs = NOW_MS - 40 * DAY_MS;
  await office.signer.charters.adopt(office.signedBy({ ...office.charter, changePolicies: [guardOf([ben, cyd])] }));
  office.clock.nowMs = NOW_MS;
  const change = { status: 'Archived' };
  const approval = approvalOf({ changeRequestId: 'cr-1', requester: ada, entityId: POLICY_ID, change }, [ben, cyd]);
  const order = request(NOW_MS - 30 * DAY_MS);
  const late = request(NOW_MS - 30 * DAY_MS - 1);
  const amend = (one: typeof order) => office.signer.amendCharter({ ...one, evidence: [...one.evidence, ...approval] });
  await expect(amend(late)).rejects.toEqual(refusedAs('ActionTooOld'));
  await expect(amend(order)).resolves.toMatchObject({ sequence: 2 });
});
