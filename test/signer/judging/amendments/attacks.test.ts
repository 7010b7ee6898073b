import { MINUTE_MS } from '../../../../domain/durations';
import { type Chartered, openChartered, POLICY_ID } from '../../charters/chartered';
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
