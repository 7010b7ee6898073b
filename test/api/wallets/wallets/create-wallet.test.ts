import { KeyEntity } from '../../../../entities/keys/key.entity';
import { WalletEntity } from '../../../../entities/wallets/wallet.entity';
import { newId } from '../../../../platform/ids';
import { faultAt, refusal, START_LIMIT_MS, startWalletApi, type WalletApi } from '../../../support/wallet-api';

let wallets: WalletApi;
beforeAll(async () => {
  wallets = await startWalletApi();
}, START_LIMIT_MS);
afterAll(() => wallets?.close());

const post = (body: unknown, by = wallets.admin) => by.client.change('POST', '/wallets', body);
const network = 'EthereumSepolia';
const rows = () => wallets.api.database.db.read(wallets.orgId).rows(WalletEntity, '');

test('200: the wallet has every member of the published interface, with address and key, and is readable at once', async () => {
  const answer = await post({ network, name: 'Treasury', externalId: 'treasury-1', tags: ['hot', 'a:b/c.d_e+f-1'] });
  expect(answer).toMatchObject({ status: 200 });
  expect(answer.body).toEqual({
    id: expect.stringMatching(/^wa-[a-z0-9]{5}-[a-z0-9]{5}-[a-z0-9]{16}$/),
    network,
    address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
    signingKey: {
      id: expect.stringMatching(/^key-[a-z0-9]{5}-[a-z0-9]{5}-[a-z0-9]{16}$/),
      scheme: 'ECDSA',
      curve: 'secp256k1',
      publicKey: expect.stringMatching(/^[0-9a-f]{66}$/),
    },
    status: 'Active',
    dateCreated: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    name: 'Treasury',
    custodial: true,
    externalId: 'treasury-1',
    tags: ['a:b/c.d_e+f-1', 'hot'],
  });
  const { id } = answer.body as { id: string };
  expect(await wallets.admin.client.get(`/wallets/${id}`)).toMatchObject({ status: 200, body: answer.body });
});

test('200: the wallet has its metadata; different metadata with the same externalId makes the request a different one', async () => {
  const body = { network, externalId: 'with-metadata', metadata: { team: 'treasury', a: 'b' } };
  const first = await post(body);
  expect(first).toMatchObject({ status: 200, body: { metadata: { a: 'b', team: 'treasury' } } });
  expect((await post({ ...body, metadata: { a: 'b', team: 'treasury' } })).body).toEqual(first.body);
  expect(await post({ ...body, metadata: { team: 'treasury' } })).toMatchObject(refusal(409, 'Conflict'));
  const none = { network, externalId: 'without-metadata' };
  expect((await post({ ...none, metadata: {} })).body).toEqual((await post(none)).body);
});

test('200: fifty concurrent calls with one externalId return the same wallet', async () => {
  const before = (await rows()).length;
  const answers = await Promise.all(Array.from({ length: 50 }, () => post({ network, externalId: 'fifty' })));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  expect(await rows()).toHaveLength(before + 1);
}, 60_000);

test('409: a different request with the same externalId; the error contains the first wallet', async () => {
  const first = await wallets.createWallet({ externalId: 'taken' });
  const answer = await post({ network, externalId: 'taken', tags: ['other'] });
  expect(answer).toMatchObject(refusal(409, 'Conflict', { duplicate: { id: first.id, externalId: 'taken' } }));
  expect((answer.body as { error: { message: string } }).error.message).toBe('Conflicting wallet with same externalId');
});

test('409: the key already has a wallet on the network', async () => {
  const { id, signingKey } = await wallets.createWallet();
  expect(await post({ network, signingKey: { id: signingKey.id } })).toMatchObject(
    refusal(409, 'Conflict', { duplicate: { id } }),
  );
});

test('404: a key that is unknown or belongs to another organisation', async () => {
  const { signingKey } = await wallets.createWallet();
  expect(await post({ network, signingKey: { id: newId('key') } })).toMatchObject(refusal(404, 'NotFound'));
  expect(await post({ network, signingKey: { id: signingKey.id } }, wallets.stranger)).toMatchObject(refusal(404, 'NotFound'));
});

test.each([
  ['body.network', {}],
  ['body.network', { network: 'Nowhere' }],
  ['body.network', { network: 7 }],
  ['body.name', { network, name: 'x'.repeat(101) }],
  ['body.name', { network, name: 'zero\u0000' }],
  ['body.externalId', { network, externalId: 'x'.repeat(101) }],
  ['body.externalId', { network, externalId: '' }],
  ['body.externalId', { network, externalId: null }],
  ['body.tags.0', { network, tags: ['a b'] }],
  ['body.tags.0', { network, tags: ['x'.repeat(101)] }],
  ['body.tags', { network, tags: Array.from({ length: 11 }, (_, index) => `t${index}`) }],
  ['body.tags', { network, tags: 'a' }],
  ['body.signingKey.curve', { network, signingKey: { curve: 'p256' } }],
  ['body.signingKey.curve', { network, signingKey: { curve: 'ed25519' } }],
  ['body.signingKey.scheme', { network, signingKey: { scheme: 'EdDSA' } }],
  ['body.signingKey.id', { network, signingKey: { id: "key-1' OR 1=1" } }],
  ['body.signingKey.storeId', { network, signingKey: { storeId: 'x' } }],
  ['body.delegateTo', { network, delegateTo: newId('user') }],
  ['body.delayDelegation', { network, delayDelegation: 'yes' }],
  ['body.delayDelegation', { network, delayDelegation: true, delegateTo: newId('user') }],
  ['body.signingKey.scheme', { network, signingKey: { scheme: 'Schnorr' } }],
  ['body.signingKey.scheme', { network: 'KeyECDSAStark', signingKey: { scheme: 'DH' } }],
  ['body.signingKey.curve', { network: 'KeyEdDSA', signingKey: { curve: 'secp256k1' } }],
  ['body.validatorId', { network, validatorId: 'cv-1' }],
])('400: the error reports %s for %j, and nothing is written', async (path, body) => {
  const before = (await rows()).length;
  expect(await post(body)).toMatchObject(refusal(400, 'InvalidRequest', faultAt(path)));
  expect(await rows()).toHaveLength(before);
});

// Two mainnets, and networks that have no nodes, are retired, belong to an unsupported family or have no known chain.
test.each([...['Ethereum', 'Bitcoin', 'SolanaDevnet', 'PolygonMumbai', 'Algorand', 'Tsc']])(
  '400: %s is in the published interface, but is not enabled in this installation',
  async (name) => {
    const before = (await rows()).length;
    expect(await post({ network: name })).toMatchObject(refusal(400, 'NetworkNotEnabled', faultAt('body.network')));
    expect(await rows()).toHaveLength(before);
  },
);

test.each([
  ['Wallets:Create', ['Keys:Create'], { network }],
  ['Keys:Create', ['Wallets:Create', 'Keys:Reuse'], { network }],
  ['Keys:Reuse', ['Wallets:Create', 'Keys:Create'], { network, signingKey: { id: newId('key') } }],
  ['Wallets:Tags:Add', ['Wallets:Create', 'Keys:Create'], { network, tags: ['a'] }],
])('403: without %s', async (missing, operations, body) => {
  const person = await wallets.api.createPerson(wallets.orgId, { operations });
  const answer = await post(body, person);
  expect(answer).toMatchObject(refusal(403, 'Forbidden'));
  expect((answer.body as { error: { message: string } }).error.message).toContain(`(${missing})`);
});

test('403: without a user action, and nothing is written', async () => {
  const before = (await rows()).length;
  expect(await wallets.admin.client.post('/wallets', { network })).toMatchObject(refusal(403, 'UserActionInvalid'));
  expect(await rows()).toHaveLength(before);
});

test('200: the key of an existing wallet can be used on another network, and every kind of caller may create wallets', async () => {
  const { signingKey } = await wallets.createWallet();
  await wallets.api.database.arrange(`UPDATE wallets SET network = 'Ethereum' WHERE key_id = $1`, [signingKey.id]);
  const endUser = await wallets.api.createPerson(wallets.orgId, { kind: 'EndUser' });
  const serviceAccount = await wallets.api.createPerson(wallets.orgId, { isServiceAccount: true });
  expect(await post({ network, signingKey: { id: signingKey.id } }, endUser)).toMatchObject(refusal(404, 'NotFound'));
  await wallets.api.database.db.withOrg(wallets.orgId, (tx) =>
    tx.update(KeyEntity, { id: signingKey.id }, { delegatedTo: endUser.userId }),
  );
  expect(await post({ network, signingKey: { id: signingKey.id } }, endUser)).toMatchObject({
    status: 200,
    body: { custodial: false, signingKey: { ...signingKey, delegatedTo: endUser.userId } },
  });
  expect(await post({ network }, serviceAccount)).toMatchObject({ status: 200 });
});

test.each([
  ['KeyECDSA', 'ECDSA', 'secp256k1', 66],
  ['KeyEdDSA', 'EdDSA', 'ed25519', 64],
  ['KeyECDSAStark', 'ECDSA', 'stark', 64],
])('200: a wallet on %s has a key and no address, and neither balances nor transfers', async (name, scheme, curve, digits) => {
  const { status, body } = await post({ network: name, externalId: `only signs on ${name}` });
  const { id } = body as { id: string };
  expect([status, body]).toEqual([200, expect.not.objectContaining({ address: expect.anything() })]);
  expect(body).toMatchObject({ network: name, signingKey: { scheme, curve, publicKey: expect.any(String) } });
  expect((body as { signingKey: { publicKey: string } }).signingKey.publicKey).toHaveLength(digits);
  expect(await wallets.admin.client.get(`/wallets/${id}/assets`)).toMatchObject(refusal(400, 'NetworkNotEnabled'));
  const transfer = { kind: 'Native', to: `0x${'ab'.repeat(20)}`, amount: '1' };
  expect(await wallets.admin.client.change('POST', `/wallets/${id}/transfers`, transfer)).toMatchObject(
    refusal(400, 'NetworkNotEnabled'),
  );
});

test('409: the key already has a wallet on a network without addresses', async () => {
  const { body } = await post({ network: 'KeyECDSA' });
  const { id, signingKey } = body as { id: string; signingKey: { id: string } };
  expect(await post({ network: 'KeyECDSA', signingKey: { id: signingKey.id } })).toMatchObject(
    refusal(409, 'Conflict', { duplicate: { id } }),
  );
  expect(await post({ network, signingKey: { id: signingKey.id } })).toMatchObject({ status: 200, body: { signingKey } });
});

test('200: a wallet can belong to an end user from the start or be delegated later', async () => {
  const endUser = await wallets.api.createPerson(wallets.orgId, { kind: 'EndUser' });
  const given = await post({ network, delegateTo: endUser.userId });
  expect(given).toMatchObject({ status: 200, body: { custodial: false, signingKey: { delegatedTo: endUser.userId } } });
  const { id } = given.body as { id: string };
  expect(await endUser.client.get(`/wallets/${id}`)).toMatchObject({ status: 200 });
  const transfer = { kind: 'Native', to: `0x${'ab'.repeat(20)}`, amount: '1' };
  expect(await wallets.admin.client.change('POST', `/wallets/${id}/transfers`, transfer)).toMatchObject(
    refusal(403, 'Forbidden'),
  );
  expect(await post({ network, delayDelegation: true })).toMatchObject({ status: 200, body: { custodial: true } });
});

test('200: a wallet that an end user creates belongs to the end user', async () => {
  const endUser = await wallets.api.createPerson(wallets.orgId, { kind: 'EndUser' });
  const answer = await post({ network }, endUser);
  expect(answer).toMatchObject({ status: 200, body: { custodial: false, signingKey: { delegatedTo: endUser.userId } } });
});

test('403: without Keys:Delegate or Keys:ChildKeys:Create, if the request needs that permission', async () => {
  const person = await wallets.api.createPerson(wallets.orgId, { operations: ['Wallets:Create', 'Keys:Create'] });
  for (const [missing, more] of [
    ['Keys:Delegate', { delegateTo: newId('user') }],
    ['Keys:ChildKeys:Create', { signingKey: { deriveFrom: { keyId: newId('key') } } }],
  ] as const) {
    const answer = await post({ network, ...more }, person);
    expect(answer).toMatchObject(refusal(403, 'Forbidden'));
    expect(JSON.stringify(answer.body)).toContain(`(${missing})`);
  }
});
