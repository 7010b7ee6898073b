import { MINUTE_MS } from '../../../../domain/durations';
import { type Chartered, keyHolder, openChartered, POLICY_ID } from '../../charters/chartered';
import { keyOrder, NOW_MS, orderFor, refusedAs } from '../../fixtures';
import { amendmentBy, charterNow } from './amending';

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

test('a key that the signer made before the organisation had a charter gets no wallet: it may have signed anything', async () => {
  const key = await office.signer.createKey(keyOrder(NEW_WALLET.keyId));
  await office.signer.signTransfer(orderFor(key, 'xfr-stored', { nonce: 0 }));
  await office.adopt();
  await expect(office.signer.amendCharter(walletFor())).rejects.toEqual(refusedAs('KeyRowMismatch'));
  await office.signer.createKey(keyOrder(NEW_WALLET.keyId));
  await expect(office.signer.amendCharter(walletFor())).rejects.toEqual(refusedAs('KeyRowMismatch'));
  await office.signer.createKey(keyOrder('key-later'));
  await expect(office.signer.amendCharter(walletFor({ keyId: 'key-later' }))).resolves.toMatchObject({ sequence: 2 });
});

test('a policy that left one list of the charter does not return to the other by an earlier change', async () => {
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

test('a member does not escape a removal by a change of the own credentials meanwhile', async () => {
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

test('a removal that was signed before the operator’s next charter removes no member of that charter', async () => {
  const { ada, cyd } = office.people;
  await office.adopt();
  const removal = amendmentBy({ by: ada, amendment: { kind: 'deactivateUser' }, params: { userId: cyd.userId } });
  later(MINUTE_MS + 1);
  await office.adopt(office.next({}));
  await expect(office.signer.amendCharter(removal)).rejects.toEqual(refusedAs('AmendmentStale'));
});

test('a new wallet does not take the place of a sponsor’s wallet that the charter lacks', async () => {
  await office.adopt({ ...office.charter, feeSponsors: [{ id: 'fs-1', walletId: NEW_WALLET.walletId }] });
  await office.signer.createKey(keyOrder(NEW_WALLET.keyId));
  await expect(office.signer.amendCharter(walletFor())).rejects.toEqual(refusedAs('RequestMismatch'));
  await expect(office.signer.amendCharter(walletFor({ walletId: 'wa-other' }))).resolves.toBeDefined();
});
