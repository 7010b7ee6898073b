import type { Person } from '../../support/api';
import { type HeldKeysApi, startHeldKeysApi } from '../../support/held-keys';
import { createKey, ECDSA, type KeyBody } from '../../support/keys';
import { refusal, START_LIMIT_MS } from '../../support/wallet-api';

let held: HeldKeysApi;
let endUser: Person;
let key: KeyBody;
beforeAll(async () => {
  held = await startHeldKeysApi();
  endUser = await held.api.createPerson(held.orgId, { kind: 'EndUser' });
  await held.hold('Keys:Delegate');
}, START_LIMIT_MS);
afterAll(() => held?.close());
beforeEach(async () => {
  key = await createKey(held, { ...ECDSA, delayDelegation: true });
});

const delegate = () => held.admin.client.change('POST', `/keys/${key.id}/delegate`, { delegateTo: endUser.userId });
const custodial = async () => ((await held.admin.client.get(`/keys/${key.id}`)).body as { custodial: boolean }).custodial;

test('202: the key belongs to the organisation until people approve, and then to its new owner', async () => {
  const asked = await delegate();
  expect(asked).toMatchObject({
    status: 202,
    body: {
      kind: 'KeyDelegation',
      operationKind: 'Update',
      entityId: key.id,
      body: { keyId: key.id, publicKey: key.publicKey, ...ECDSA, delegateTo: endUser.userId },
    },
  });
  expect(await custodial()).toBe(true);
  const { id, approvalId } = held.waiting(asked);
  expect(await delegate()).toMatchObject(refusal(409, 'ChangePending', { changeRequestId: id, approvalId }));
  expect(await held.decide(asked, 'Approved')).toEqual({ outcome: 'Ended', status: 'Applied' });
  expect(await custodial()).toBe(false);
});

test('202: a delegation through a wallet of the key waits too, and a denial leaves the key unchanged', async () => {
  const wallet = await held.createWallet({ signingKey: { id: key.id } });
  const asked = await held.admin.client.change('POST', `/wallets/${wallet.id}/delegate`, { userId: endUser.userId });
  expect(await held.decide(asked, 'Denied')).toEqual({ outcome: 'Ended', status: 'Rejected' });
  expect(await custodial()).toBe(true);
});

test('a key stays with the organisation if, before the approval, the key was frozen or the new owner was removed', async () => {
  const frozen = await delegate();
  const freeze = await held.admin.client.change('POST', '/freezes', { target: { kind: 'Key', id: key.id }, reason: 'Wait' });
  expect(freeze.status).toBe(200);
  await expect(held.decide(frozen, 'Approved')).rejects.toThrow('frozen');
  expect(await custodial()).toBe(true);
  key = await createKey(held, { ...ECDSA, delayDelegation: true });
  const gone = await delegate();
  await held.admin.client.change('DELETE', `/auth/users/${endUser.userId}`, {});
  await expect(held.decide(gone, 'Approved')).rejects.toThrow('end user');
  expect(await custodial()).toBe(true);
});
