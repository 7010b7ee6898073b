import { createSignatureSigningActivities } from '../../../../activities/signatures/sign';
import { SignatureEntity } from '../../../../entities/signatures/signature.entity';
import { signatureStore } from '../../../../entities/signatures/signature.store';
import { newId } from '../../../../platform/ids';
import { APPROVING } from '../../../support/approving';
import { type SignatureApi, startSignatureApi } from '../../../support/signature-api';
import { consumedAction } from '../../../support/signed-actions';

let on: SignatureApi;
beforeAll(async () => {
  on = await startSignatureApi();
});
afterAll(() => on?.close());

const reader = () => on.api.database.db.read(on.orgId);
const rowOf = async (id: string): Promise<SignatureEntity> => {
  const row = await signatureStore.find(reader(), id);
  if (!row) throw new Error(`no signature ${id}`);
  return row;
};
const MESSAGE = { kind: 'Eip191', message: 'I was asked for this' };
const asked = async (body: object = MESSAGE, path?: string) => rowOf((await on.request({ ...body }, path)).id);
const verdict = (row: SignatureEntity) => on.causes.ofSignature(reader(), row);

test('a signature request that its requester signed is proven, through the operation of the key and through that of the wallet', async () => {
  const typed = {
    ...{ kind: 'Eip712', types: { M: [{ type: 'string', name: 'a' }] }, domain: { name: 'D', chainId: 11155111 } },
    message: { a: 'b' },
  };
  const bodies = [MESSAGE, typed, { kind: 'Message', message: 'ABcd' }, {}];
  for (const body of bodies) expect(await verdict(await asked(body))).toBeUndefined();
  expect(await verdict(await asked(MESSAGE, `/wallets/${on.wallet.id}/signatures`))).toBeUndefined();
});

test.each<[string, Partial<SignatureEntity>, string]>([
  ['payload', { payload: { kind: 'Hash', digestHex: `0x${'11'.repeat(32)}` } }, 'ContentDiffers payload'],
  ['kind', { kind: 'Hash' }, 'ContentDiffers network'],
  ['body', { requestBody: { kind: 'Eip191', message: 'another' } }, 'BodyDiffers'],
  ['nonce', { nonce: 7 }, 'ContentDiffers claim'],
  ['action', { userActionId: 'none' }, 'NoSuchAction'],
  ['requester', { requesterUserId: 'us-1' }, 'ActionOfAnother'],
  ['key', { keyId: 'key-1' }, 'PathDiffers'],
  ['wallet', { walletId: 'wa-1' }, 'PathDiffers'],
])('a signature request with a changed %s in its row is refused', async (_name, set, reason) => {
  expect(await verdict({ ...(await asked()), ...set })).toBe(reason);
});

test('a signature request is refused if the API would refuse the signed text', async () => {
  const requestBody = { ...MESSAGE, encoding: 'unknown' };
  const userActionId = await consumedAction(on, `/keys/${on.keyId}/signatures`, requestBody);
  expect(await verdict({ ...(await asked()), requestBody, userActionId })).toBe('BodyUnreadable');
});

test('a row that was inserted without a signed request ends as failed, and nothing is signed', async () => {
  const good = await asked();
  const id = newId('signature');
  const { db } = on.api.database;
  const by = {
    state: 'Signing',
    signatures: null,
    signedData: null,
    version: 1,
    userActionId: 'none',
    externalId: null,
  } as const;
  await db.withOrg(on.orgId, (tx) => tx.insert(SignatureEntity, { ...good, ...by, id }));
  const { client } = on.signer;
  const signPayload = jest.fn(client.signPayload);
  const activities = createSignatureSigningActivities({
    ...APPROVING,
    db,
    signer: { ...client, signPayload },
    causes: on.causes,
  });
  expect(await activities.signPayload({ orgId: on.orgId, signatureId: id })).toBe('Failed');
  expect(signPayload).not.toHaveBeenCalled();
  expect(await rowOf(id)).toMatchObject({ state: 'Failed', reason: expect.stringContaining('NoSuchAction') });
});

test('the user action of one signature request does not authorise a second request', async () => {
  const good = await asked();
  const copy = { ...good, id: newId('signature'), externalId: null };
  await expect(on.api.database.db.withOrg(on.orgId, (tx) => tx.insert(SignatureEntity, copy))).rejects.toThrow(
    /signatures_by_user_action/,
  );
});
