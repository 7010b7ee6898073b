import { networkOf } from '../../../../chains/networks';
import { FLEET_PROOFS_MAX } from '../../../../domain/fleets';
import { NETWORK_NAMES } from '../../../../domain/networks';
import { KeyEntity } from '../../../../entities/keys/key.entity';
import { WalletEntity } from '../../../../entities/wallets/wallet.entity';
import { SignedInput } from '../../../../platform/fleets/inputs';
import { newId } from '../../../../platform/ids';
import { noteAnswer } from '../../../support/examples';
import { type FleetApi, type GroupBody, type StoreApi, startFleetApi } from '../../../support/fleet-api';
import { refusedBySigner } from '../../../support/fleet-steps';
import { addStoreWallet, type Proving, provingAt, type StoreWallet } from '../../../support/proving-api';
import { faultAt, refusal, START_LIMIT_MS } from '../../../support/wallet-api';

let fleets: FleetApi;
let store: StoreApi;
let proving: Proving;
beforeAll(async () => {
  fleets = await startFleetApi();
}, START_LIMIT_MS);
afterAll(() => fleets?.close());
beforeEach(() => {
  fleets.signer.before = () => undefined;
  store = fleets.newStore();
  proving = provingAt(fleets, store);
});

const groups = async (): Promise<readonly GroupBody[]> => {
  const { body } = await fleets.maker.client.get(`/key-stores/${store.storeId}/fleet-operations`);
  return (body as { items: GroupBody[] }).items;
};
const wallet = (network?: StoreWallet['network'], storeId = store.storeId) => addStoreWallet(fleets, storeId, network);
const withOrg = <T>(work: Parameters<typeof fleets.api.database.db.withOrg<T>>[1]) =>
  fleets.api.database.db.withOrg(fleets.orgId, work);

test('200: the archive asks for one message of each wallet, and the group ends after 7 days', async () => {
  await store.play();
  const wallets = [await wallet(), await wallet('SolanaDevnet')];
  const walletIds = wallets.map(({ id }) => id);
  const { status, body } = await proving.begin(walletIds);
  expect([status, typeof body]).toEqual([200, 'string']);
  noteAnswer('createProofOfControlInput', { walletIds }, { status, body }, { storeId: store.storeId });
  const { input } = SignedInput.parse(JSON.parse(body));
  const { groupId } = await store.group();
  const where = `key store ${store.storeId}, group ${groupId}, ${input.dateIssued}`;
  expect(input.task).toMatchObject({
    kind: 'ProofOfControl',
    requests: wallets.map(({ id, network, address }) => ({
      ...{ walletId: id, network, address },
      message: `The organisation ${fleets.orgId} controls the address ${address} on ${network}. Wallet ${id}, ${where}`,
    })),
  });
  const path = `/key-stores/${store.storeId}/fleet-operations/${groupId}`;
  const { body: details } = await fleets.maker.client.get(path);
  const operation = { kind: 'ProofOfControl', status: 'Initialized' };
  expect(details).toMatchObject({ status: 'Initialized', operations: [operation, operation] });
  const { dateCreated, endsAt } = details as { readonly dateCreated: string; readonly endsAt: string };
  expect(Math.round((Date.parse(endsAt) - Date.parse(dateCreated)) / 86_400_000)).toBe(7);
  expect((await fleets.maker.client.get(`${path}/archive`)).body).toBe(body);
});

test('200: a service account asks for a hundred wallets; one more is too many', async () => {
  await store.play();
  const keys = [await wallet(), await wallet()];
  const networks = NETWORK_NAMES.filter((name) => networkOf(name).family === 'evm' && name !== 'EthereumSepolia');
  const rows = keys.flatMap(({ keyId, address }) =>
    networks.map((network) => ({
      ...{ orgId: fleets.orgId, id: newId('wallet'), network, keyId, status: 'Active' as const, address },
      ...{ requestDigest: '', createdBy: fleets.maker.userId },
    })),
  );
  await withOrg((tx) => tx.insert(WalletEntity, rows));
  const walletIds = rows.map(({ id }) => id).slice(0, FLEET_PROOFS_MAX);
  expect(walletIds).toHaveLength(FLEET_PROOFS_MAX);
  const tooMany = await proving.begin([...walletIds, keys[0]?.id]);
  expect(tooMany).toMatchObject(refusal(400, 'InvalidRequest', faultAt('body.walletIds')));
  expect((await proving.begin(walletIds, fleets.carrier)).status).toBe(200);
});

test.each<[string, object]>([
  ['body.walletIds', {}],
  ['body.walletIds', { walletIds: [] }],
  ['body.walletIds', { walletIds: 'wa-1' }],
  ['body.walletIds.0', { walletIds: [''] }],
  ['body.walletIds.0', { walletIds: [7] }],
  ['body.walletIds.1', { walletIds: ['wa-1', 'w'.repeat(65)] }],
  ['body.message', { walletIds: ['wa-1'], message: 'We owe you the moon.' }],
])('400: the body is refused at %s', async (path, body) => {
  const answer = await fleets.maker.client.change('POST', `/key-stores/${store.storeId}/proof-of-control/input`, body);
  expect(answer).toMatchObject(refusal(400, 'InvalidRequest', faultAt(path)));
});

test('400: a wallet occurs twice, is not of the store or the organisation, or is not active, and no group begins', async () => {
  const elsewhere = fleets.newStore();
  await Promise.all([store.play(), elsewhere.play()]);
  const [own, archived, other] = [await wallet(), await wallet(), await wallet(undefined, elsewhere.storeId)];
  const [creating, bare, software] = [newId('wallet'), newId('wallet'), newId('wallet')];
  await withOrg(async (tx) => {
    await tx.update(WalletEntity, { id: archived.id }, { status: 'Archived', dateDeleted: new Date() });
    const row = { orgId: fleets.orgId, keyId: own.keyId, requestDigest: '', createdBy: fleets.maker.userId };
    await tx.insert(WalletEntity, { ...row, id: creating, network: 'PolygonAmoy', status: 'Creating' });
    await tx.insert(WalletEntity, { ...row, id: bare, network: 'KeyECDSA', status: 'Active', address: null });
    const key = { orgId: fleets.orgId, id: newId('key'), scheme: 'ECDSA', curve: 'secp256k1', status: 'Creating' } as const;
    await tx.insert(KeyEntity, key);
    await tx.insert(WalletEntity, { ...row, id: software, keyId: key.id, network: 'EthereumSepolia', status: 'Creating' });
  });
  const strangers = newId('wallet');
  await fleets.api.database.db.withOrg(fleets.stranger.orgId, async (tx) => {
    const of = { orgId: fleets.stranger.orgId };
    const key = { ...of, id: newId('key'), scheme: 'ECDSA', curve: 'secp256k1', status: 'Creating' } as const;
    await tx.insert(KeyEntity, key);
    const row = {
      ...of,
      id: strangers,
      keyId: key.id,
      network: 'EthereumSepolia',
      status: 'Active',
      address: own.address,
    } as const;
    await tx.insert(WalletEntity, { ...row, requestDigest: '', createdBy: fleets.stranger.userId });
  });
  for (const id of [own.id, archived.id, other.id, creating, bare, software, strangers, newId('wallet'), 'no-id'])
    expect([id, await proving.begin([own.id, id])]).toMatchObject([
      id,
      refusal(400, 'InvalidRequest', faultAt('body.walletIds.1')),
    ]);
  expect((await groups()).map(({ status }) => status)).toEqual(['Approved']);
  expect((await proving.begin([own.id])).status).toBe(200);
});

test('403: an end user, and a person without the permission', async () => {
  await store.play();
  const { id } = await wallet();
  const operations = ['KeyStores:Read', 'KeyStores:Instructions:Keys:Sign'];
  const signer = await fleets.api.createPerson(fleets.orgId, { operations });
  for (const by of [fleets.endUser, signer]) expect((await proving.begin([id], by)).status).toBe(403);
});

test('404: the key store is the software store, unknown, or of another organisation', async () => {
  for (const storeId of ['software', 'no-such-store']) {
    const answer = await fleets.maker.client.change('POST', `/key-stores/${storeId}/proof-of-control/input`, {
      walletIds: ['wa-1'],
    });
    expect(answer).toMatchObject(refusal(404, 'NotFound', { storeId }));
  }
  expect((await proving.begin(['wa-1'], fleets.stranger)).status).toBe(404);
});

test('409: the key store has no fleet, or an open group', async () => {
  expect(await proving.begin(['wa-1'])).toMatchObject(refusal(409, 'WrongState', { storeId: store.storeId }));
  await store.play();
  const { id } = await wallet();
  await proving.begin([id]);
  const { groupId } = await store.group();
  expect(await proving.begin([id])).toMatchObject(refusal(409, 'Conflict', { groupId, status: 'Initialized' }));
});

test('409: the signer refuses, and the group is canceled with the reason', async () => {
  await store.play();
  const { id } = await wallet();
  fleets.signer.before = () => {
    throw refusedBySigner('Frozen');
  };
  const answer = await proving.begin([id]);
  const group = await store.group();
  expect(answer).toMatchObject(refusal(409, 'WrongState', { groupId: group.groupId, status: 'Canceled' }));
  expect(group).toMatchObject({ status: 'Canceled', reason: 'The signer refused the order: Frozen' });
});
