import { secp256k1 } from '@noble/curves/secp256k1.js';
import { seeCharter } from '../../support/charter-rows';
import { type HeldKeysApi, startHeldKeysApi } from '../../support/held-keys';
import { createKey, createRecipient, ECDSA, type KeyBody } from '../../support/keys';
import { asSuperuser } from '../../support/roles';
import { refusal, START_LIMIT_MS } from '../../support/wallet-api';

let held: HeldKeysApi;
let recipient: Awaited<ReturnType<typeof createRecipient>>;
let other: Awaited<ReturnType<typeof createRecipient>>;
let key: KeyBody;
let policyId: string;
beforeAll(async () => {
  held = await startHeldKeysApi();
  recipient = await createRecipient();
  other = await createRecipient();
  policyId = await held.hold('Keys:Export');
}, START_LIMIT_MS);
afterAll(() => held?.close());
beforeEach(async () => {
  key = await createKey(held);
});

const wish = ({ encryptionKey } = recipient) => ({
  encryptionKey,
  supportedSchemes: [{ protocol: 'Software', curve: 'secp256k1' }],
});
const post = (body: unknown = wish(), by = held.admin) => by.client.change('POST', `/keys/${key.id}/export`, body);
const isExported = async () => (await held.admin.client.get(`/keys/${key.id}`)).body as { exported?: boolean };
const forge = (sql: string, values: readonly unknown[]) =>
  asSuperuser((client) => client.query(sql, [...values]), held.api.database.name);
const approved = async (body: unknown = wish()) => {
  const answer = await post(body);
  expect(await held.decide(answer, 'Approved')).toEqual({ outcome: 'Ended', status: 'Applied' });
  return answer;
};

test('202: the export waits, approvers see the key and the recipient, and no secret leaves the service yet', async () => {
  const answer = await post();
  expect(answer).toMatchObject({
    status: 202,
    body: {
      kind: 'KeyExport',
      operationKind: 'Create',
      status: 'Pending',
      entityId: key.id,
      requester: { userId: held.admin.userId },
      body: { keyId: key.id, publicKey: key.publicKey, ...ECDSA, ...wish() },
    },
  });
  const { approvalId, id } = held.waiting(answer);
  expect(await held.approver.client.get(`/v2/policy-approvals/${approvalId}`)).toMatchObject({
    body: { activity: { kind: 'Keys:Export', changeRequest: { id, kind: 'KeyExport', body: { keyId: key.id, ...wish() } } } },
  });
  expect(await isExported()).not.toHaveProperty('exported');
  const asked = await held.db.read(held.orgId).select('SELECT id FROM key_requests WHERE key_id = $1', [key.id]);
  expect(asked).toEqual([]);
  expect(await post()).toMatchObject(refusal(409, 'ChangePending', { changeRequestId: id, approvalId }));
});

test('200: the same body, sent again after the approval, returns the shares only once', async () => {
  const first = await approved();
  expect(await isExported()).not.toHaveProperty('exported');
  const answer = await post();
  expect(answer.status).toBe(200);
  const secret = await recipient.open(held.orgId, answer.body);
  expect(Buffer.from(secp256k1.getPublicKey(secret, true)).toString('hex')).toBe(key.publicKey);
  expect(await isExported()).toMatchObject({ exported: true });
  const again = await post();
  expect(held.waiting(again).id).not.toBe(held.waiting(first).id);
});

test('200: an export through the wallet of the key works too, because the approval is for the key', async () => {
  const wallet = await held.createWallet({ signingKey: { id: key.id } });
  const byWallet = () => held.admin.client.change('POST', `/wallets/${wallet.id}/export`, wish());
  expect(await held.decide(await byWallet(), 'Approved')).toMatchObject({ status: 'Applied' });
  expect(await byWallet()).toMatchObject({ status: 200, body: { publicKey: key.publicKey } });
});

test('of two simultaneous uses of an approval, exactly one returns the shares', async () => {
  await approved();
  const answers = await Promise.all([post(), post()]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 202]);
});

test('202: the approval is not valid for a different recipient or a different person', async () => {
  await approved();
  const stolen = await post(wish(other));
  expect(held.waiting(stolen)).toMatchObject({ body: { encryptionKey: other.encryptionKey } });
  await held.decide(stolen, 'Denied');
  const colleague = await held.api.createPerson(held.orgId, { name: 'colleague' });
  const theirs = await post(wish(), colleague);
  expect(held.waiting(theirs)).toMatchObject({ requester: { userId: colleague.userId } });
  await held.decide(theirs, 'Denied');
  expect(await post()).toMatchObject({ status: 200 });
});

test('202: no shares after a denial, and no shares if the approval is older than a day', async () => {
  expect(await held.decide(await post(), 'Denied')).toEqual({ outcome: 'Ended', status: 'Rejected' });
  const granted = await approved();
  const { id } = held.waiting(granted);
  await forge(`UPDATE change_requests SET date_resolved = clock_timestamp() - interval '25 hours' WHERE id = $1`, [id]);
  expect(await post()).toMatchObject({ status: 202 });
});

test('202: no shares if the recipient in the row was changed after the approval', async () => {
  const { id } = held.waiting(await approved());
  const attempt = held.waiting(await post(wish(other)));
  const { change } = (await held.row({ status: 202, body: attempt })) ?? {};
  await held.decide({ status: 202, body: attempt }, 'Denied');
  await forge('UPDATE change_requests SET change = $2 WHERE id = $1', [id, JSON.stringify(change)]);
  expect(await post(wish(other))).toMatchObject({ status: 202 });
  expect(await isExported()).not.toHaveProperty('exported');
});

test('202 and 403: a stricter policy was added after the approval', async () => {
  await approved();
  const second = await held.hold('Keys:Export');
  const anew = await post();
  expect(anew.status).toBe(202);
  await held.decide(anew, 'Denied');
  await held.drop(second);
  const never = await held.hold('Keys:Export', { action: { kind: 'Block' } });
  expect(await post()).toMatchObject(refusal(403, 'PolicyBlocked'));
  await held.drop(never);
  expect(await post()).toMatchObject({ status: 200 });
});

test("200: policies do not apply to an end user's own key, and without a policy no export waits", async () => {
  const endUser = await held.api.createPerson(held.orgId, { kind: 'EndUser' });
  key = await createKey(held, { ...ECDSA, delegateTo: endUser.userId });
  expect(await post(wish(), endUser)).toMatchObject({ status: 200 });
  key = await createKey(held);
  await held.drop(policyId);
  expect(await post()).toMatchObject({ status: 200, body: { publicKey: key.publicKey } });
  policyId = await held.hold('Keys:Export');
});

describe('under a charter', () => {
  const charter = (exports?: object) => seeCharter(held.db, held.orgId, 1, exports === undefined ? {} : { exports });

  test('403: the charter does not contain rules for exports', async () => {
    await charter();
    expect(await post()).toMatchObject(refusal(403, 'Forbidden'));
  });

  test('403: the caller is an end user, and the charter lets only its members request an export', async () => {
    await charter({ waitHours: 24, policies: [] });
    const owner = await held.api.createPerson(held.orgId, { kind: 'EndUser' });
    const answer = await owner.client.change('POST', '/keys', ECDSA);
    key = answer.body;
    expect(await post(wish(), owner)).toMatchObject(refusal(403, 'Forbidden'));
  });

  test('409: an approved export waits for the number of hours in the charter, and its grant is valid for a day after the wait', async () => {
    await charter({ waitHours: 24, policies: [] });
    const { id } = held.waiting(await approved());
    const early = await post();
    expect(early).toMatchObject(refusal(409, 'WrongState', { changeRequestId: id, exportFrom: expect.any(String) }));
    const aged = (hours: number) =>
      forge('UPDATE change_requests SET date_resolved = clock_timestamp() - make_interval(hours => $2) WHERE id = $1', [
        id,
        hours,
      ]);
    await aged(23);
    expect(await post()).toMatchObject(refusal(409, 'WrongState'));
    await aged(47);
    expect((await post()).status).toBe(200);
  });

  test('202: the grant was not used within a day after the wait, so people must approve again', async () => {
    await charter({ waitHours: 24, policies: [] });
    const { id } = held.waiting(await approved());
    await forge(`UPDATE change_requests SET date_resolved = clock_timestamp() - interval '49 hours' WHERE id = $1`, [id]);
    expect((await post()).status).toBe(202);
  });
});
