import { secp256k1 } from '@noble/curves/secp256k1.js';
import { privateKeyToAddress } from 'viem/accounts';
import { KeyEntity } from '../../../../entities/keys/key.entity';
import { importOf, switchOn } from '../../../support/keys';
import { faultAt, refusal, START_LIMIT_MS, startWalletApi, type WalletApi } from '../../../support/wallet-api';

let wallets: WalletApi;
beforeAll(async () => {
  wallets = await startWalletApi();
  await switchOn(wallets, wallets.orgId, 'keyImport');
}, START_LIMIT_MS);
afterAll(() => wallets?.close());

const network = 'EthereumSepolia';
const post = async (more: object = {}, secret = secp256k1.utils.randomSecretKey(), by = wallets.admin) =>
  by.client.change('POST', '/wallets/import', { ...(await importOf(wallets, by.orgId, secret)), network, ...more });
const rows = () => wallets.api.database.db.read(wallets.orgId).rows(KeyEntity, '');

test('200: the wallet has the address of the imported secret, and its key is marked as imported', async () => {
  const secret = secp256k1.utils.randomSecretKey();
  const answer = await post({ name: 'Old', externalId: 'old-1' }, secret);
  const address = privateKeyToAddress(`0x${Buffer.from(secret).toString('hex')}`);
  expect(answer).toMatchObject({ status: 200, body: { address, network, name: 'Old', externalId: 'old-1', custodial: true } });
  const { signingKey } = answer.body as { signingKey: { id: string } };
  expect(await wallets.admin.client.get(`/keys/${signingKey.id}`)).toMatchObject({ body: { imported: true } });
});

test('200: the wallet has its metadata, and the list finds the wallet by the metadata', async () => {
  const metadata = { team: 'imports', a: 'b' };
  const { status, body } = await post({ metadata });
  expect({ status, body }).toMatchObject({ status: 200, body: { metadata } });
  const { id } = body as { id: string };
  expect(await wallets.admin.client.get(`/wallets/${id}`)).toMatchObject({ body: { metadata } });
  expect(await wallets.admin.client.get('/wallets?metadata=team:imports')).toMatchObject({ body: { items: [{ id }] } });
  expect((await post({ metadata: {} })).body).not.toHaveProperty('metadata');
});

test.each([
  ['body.network', { network: 'Nowhere' }],
  ['body.curve', { curve: 'ed25519', scheme: 'EdDSA' }],
  ['body.scheme', { scheme: 'Schnorr' }],
  ['body.minSigners', { minSigners: 2 }],
  ['body.metadata.team', { metadata: { team: '' } }],
  ['body.metadata', { metadata: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`key-${at}`, 'x'])) }],
])('400: the error reports %s for %j', async (path, more) => {
  const before = (await rows()).length;
  expect(await post(more)).toMatchObject(refusal(400, 'InvalidRequest', faultAt(path)));
  expect(await rows()).toHaveLength(before);
});

test('403: without Wallets:Create, or while import is switched off', async () => {
  const person = await wallets.api.createPerson(wallets.orgId, { operations: ['Keys:Import'] });
  expect(await post({}, undefined, person)).toMatchObject(refusal(403, 'Forbidden'));
  expect(await post({}, undefined, wallets.stranger)).toMatchObject(refusal(403, 'Forbidden', { setting: 'keyImport' }));
});

test('409: the organisation already has the public key or the external id; neither key nor wallet is created', async () => {
  const secret = secp256k1.utils.randomSecretKey();
  await post({ externalId: 'taken' }, secret);
  const before = (await rows()).length;
  expect(await post({}, secret)).toMatchObject(refusal(409, 'Conflict'));
  expect(await post({ externalId: 'taken' })).toMatchObject(refusal(409, 'Conflict'));
  expect(await rows()).toHaveLength(before);
});
