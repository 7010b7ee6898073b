import { secp256k1 } from '@noble/curves/secp256k1.js';
import type { Tx } from '../../../entities/database';
import { KeyEntity } from '../../../entities/keys/key.entity';
import { type HeldKeysApi, startHeldKeysApi } from '../../support/held-keys';
import { carriedOut, importQuestion } from '../../support/key-orders';
import { importOf } from '../../support/keys';
import { consumedAction } from '../../support/signed-actions';
import { faultAt, refusal, START_LIMIT_MS } from '../../support/wallet-api';

let held: HeldKeysApi;
beforeAll(async () => {
  held = await startHeldKeysApi();
  await held.hold('Keys:Import');
}, START_LIMIT_MS);
afterAll(() => held?.close());

const post = (body: unknown, by = held.admin) => by.client.change('POST', '/keys/import', body);
const rows = () => held.db.read(held.orgId).rows(KeyEntity, '');
const anImport = (orgId = held.orgId) => importOf(held, orgId, secp256k1.utils.randomSecretKey());

test('202, then 200: the import waits without its share; after the approval the same body imports the key once', async () => {
  const secret = secp256k1.utils.randomSecretKey();
  const body = { ...(await importOf(held, held.orgId, secret)), name: 'Old' };
  const before = (await rows()).length;
  const asked = await post(body);
  const change = held.waiting(asked);
  const [share] = body.encryptedKeyShares;
  expect(asked.body).toMatchObject({
    kind: 'KeyImport',
    operationKind: 'Create',
    body: { curve: 'secp256k1', scheme: 'ECDSA', signerId: share?.signerId, masterKey: false, name: 'Old' },
  });
  expect(JSON.stringify(await held.row(asked))).not.toContain(share?.encryptedKeyShare);
  expect(await held.decide(asked, 'Approved')).toMatchObject({ status: 'Applied' });
  expect(await rows()).toHaveLength(before);
  const answer = await post(body);
  const publicKey = Buffer.from(secp256k1.getPublicKey(secret, true)).toString('hex');
  expect(answer).toMatchObject({ status: 200, body: { publicKey, name: 'Old', imported: true, id: change.entityId } });
  expect(await post(body)).toMatchObject({ status: 202 });
});

test('202: a different share, and the same share with a different name, each wait for their own approval', async () => {
  const body = await anImport();
  await held.decide(await post(body), 'Approved');
  expect(await post(await anImport())).toMatchObject({ status: 202 });
  expect(await post({ ...body, name: 'Another' })).toMatchObject({ status: 202 });
  expect(await post(body)).toMatchObject({ status: 200 });
});

test('202, then 200: the wallet is imported with its key and exactly the approved metadata', async () => {
  const body = { ...(await anImport()), network: 'EthereumSepolia', metadata: { team: 'ops' } };
  const byWallet = () => held.admin.client.change('POST', '/wallets/import', body);
  const asked = await byWallet();
  expect(asked.body).toMatchObject({ kind: 'KeyImport', body: { network: 'EthereumSepolia' } });
  await held.decide(asked, 'Approved');
  const altered = { ...body, metadata: { team: 'sales' } };
  expect(await held.admin.client.change('POST', '/wallets/import', altered)).toMatchObject({ status: 202 });
  const answer = await byWallet();
  const signingKey = { id: held.waiting(asked).entityId };
  expect(answer).toMatchObject({ status: 200, body: { signingKey, metadata: { team: 'ops' } } });
});

test('202: an approved import does not permit another import, even if the database was changed to link them', async () => {
  const approved = await anImport();
  const asked = await post(approved);
  await held.decide(asked, 'Approved');
  const { id, entityId: keyId } = held.waiting(asked);
  const write = async (body: typeof approved) => {
    const userActionId = await consumedAction(held, '/keys/import', body);
    const more = (tx: Tx, requestId: string) =>
      tx.query('UPDATE change_requests SET used_by = $2 WHERE id = $1', [id, requestId]);
    return carriedOut(held, { userActionId, question: importQuestion(body), keyId, more });
  };
  expect(await write(await anImport())).toEqual({ status: 'Refused', refusal: 'NotPermitted', asked: false });
  expect(await write(approved)).toMatchObject({ status: 'Done', asked: true });
});

test('400: a body that the signer refuses does not use up the approval', async () => {
  const body = await anImport(held.stranger.orgId);
  const asked = await post(body);
  await held.decide(asked, 'Approved');
  const fault = faultAt('body.encryptedKeyShares.0.encryptedKeyShare');
  expect(await post(body)).toMatchObject(refusal(400, 'InvalidRequest', fault));
  expect(await held.row(asked)).toMatchObject({ status: 'Applied', usedBy: null });
  expect(await post(body)).toMatchObject(refusal(400, 'InvalidRequest', fault));
});

test("200: an end user's import belongs to the end user, and policies do not apply to it", async () => {
  const endUser = await held.api.createPerson(held.orgId, { kind: 'EndUser' });
  expect(await post(await anImport(), endUser)).toMatchObject({ status: 200, body: { custodial: false } });
});
