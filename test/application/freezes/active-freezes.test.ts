import { KeyRequestEntity } from '../../../entities/keys/key-request.entity';
import { OutgoingEntity } from '../../../entities/outgoing/outgoing.entity';
import { SignatureEntity } from '../../../entities/signatures/signature.entity';
import { UserActionEntity } from '../../../entities/user-actions/user-action.entity';
import type { Person } from '../../support/api';
import { type FreezeApi, type FreezeBody, startFreezeApi } from '../../support/freeze-api';
import { createKey, createRecipient, importOf, switchOn } from '../../support/keys';
import { asSuperuser } from '../../support/roles';
import { smartAccountBody } from '../../support/smart-account';
import { waitUntil } from '../../support/wait-until';
import { refusal, START_LIMIT_MS, type WalletBody } from '../../support/wallet-api';

let freezes: FreezeApi;
let wallet: WalletBody;
let endUser: Person;
let encryptionKey: string;
beforeAll(async () => {
  freezes = await startFreezeApi();
  await switchOn(freezes, freezes.orgId, 'keyExport');
  endUser = await freezes.api.createPerson(freezes.orgId, { kind: 'EndUser' });
  encryptionKey = (await createRecipient()).encryptionKey;
}, START_LIMIT_MS);
afterAll(() => freezes?.close());
beforeEach(async () => {
  wallet = await freezes.createWallet({ delayDelegation: true });
});

const reader = () => freezes.api.database.db.read(freezes.orgId);
const stored = async () => {
  const tables = [OutgoingEntity, SignatureEntity, KeyRequestEntity];
  return Promise.all(tables.map(async (table) => (await reader().rows<object>(table, '')).length));
};
const post = (path: string, body: unknown) => freezes.admin.client.change('POST', path, body);
const hash = `0x${'12'.repeat(32)}`;
const exporting = () => ({ encryptionKey, supportedSchemes: [{ protocol: 'Software', curve: 'secp256k1' }] });

/** Each operation that uses a wallet or its key. */
const USES: Readonly<Record<string, () => ReturnType<typeof post>>> = {
  transferAsset: () => post(`/wallets/${wallet.id}/transfers`, { kind: 'Native', to: `0x${'ab'.repeat(20)}`, amount: '1' }),
  broadcastTransaction: () => post(`/wallets/${wallet.id}/transactions`, { kind: 'Evm', to: `0x${'ab'.repeat(20)}`, value: '1' }),
  walletsGenerateSignature: () => post(`/wallets/${wallet.id}/signatures`, { kind: 'Hash', hash }),
  keysGenerateSignature: () => post(`/keys/${wallet.signingKey.id}/signatures`, { kind: 'Hash', hash }),
  exportKey: () => post(`/keys/${wallet.signingKey.id}/export`, exporting()),
  exportWallet: () => post(`/wallets/${wallet.id}/export`, exporting()),
  delegateWallet: () => post(`/wallets/${wallet.id}/delegate`, { userId: endUser.userId }),
  delegateKey: () => post(`/keys/${wallet.signingKey.id}/delegate`, { delegateTo: endUser.userId }),
};

describe.each(['Wallet', 'Key', 'Network', 'Organization'])('while the %s is frozen', (kind) => {
  let freezeId: string;
  let targetId: string;
  beforeEach(async () => {
    const ids = { Wallet: wallet.id, Key: wallet.signingKey.id, Network: 'EthereumSepolia', Organization: freezes.orgId };
    targetId = ids[kind as keyof typeof ids];
    freezeId = (await freezes.freeze({ kind, id: targetId })).id;
  });
  afterEach(() => freezes.release(freezeId));

  test.each(Object.keys(USES))(
    '%s is refused with the id of the freeze, stores nothing and leaves the user action unused',
    async (id) => {
      const before = await stored();
      const unused = async () =>
        (await reader().rows(UserActionEntity, 'WHERE t.date_consumed IS NULL AND t.date_signed IS NOT NULL')).length;
      const open = await unused();
      expect(await USES[id]?.()).toMatchObject(refusal(409, 'TargetFrozen', { freezeId, target: { kind, id: targetId } }));
      expect(await stored()).toEqual(before);
      expect(await unused()).toBe(open + 1);
    },
  );

  test('a frozen wallet or key can be read', async () => {
    expect((await freezes.admin.client.get(`/wallets/${wallet.id}`)).status).toBe(200);
    expect((await freezes.admin.client.get(`/keys/${wallet.signingKey.id}`)).status).toBe(200);
  });
});

test('a frozen wallet also stops requests to its key, and the key’s other wallet keeps its transfers (S3)', async () => {
  const block = {
    name: 'No',
    activityKind: 'Wallets:Sign',
    rule: { kind: 'AlwaysTrigger', configuration: {} },
    action: { kind: 'Block' },
  };
  await post('/v2/policies', { ...block, filters: { walletId: { in: [wallet.id] } } });
  const other = await freezes.createWallet({ network: 'KeyECDSA', signingKey: { id: wallet.signingKey.id } });
  const { id } = await freezes.freeze({ kind: 'Wallet', id: other.id });
  expect(await USES['keysGenerateSignature']?.()).toMatchObject(refusal(409, 'TargetFrozen'));
  expect((await USES['transferAsset']?.())?.status).toBe(200);
  await freezes.release(id);
  expect((await USES['keysGenerateSignature']?.())?.status).toBe(200);
});

test('calls of a smart account are refused while their own network is frozen, and not while another network is', async () => {
  const ask = () => post(`/keys/${wallet.signingKey.id}/signatures`, smartAccountBody(wallet.address, [{ to: wallet.address }]));
  const other = await freezes.freeze({ kind: 'Network', id: 'BaseSepolia' });
  expect(await ask()).toMatchObject({ status: 200, body: { status: 'Signed' } });
  await freezes.release(other.id);
  const own = await freezes.freeze({ kind: 'Network', id: 'EthereumSepolia' });
  expect(await ask()).toMatchObject(refusal(409, 'TargetFrozen', { freezeId: own.id }));
  await freezes.release(own.id);
});

test('a frozen child key blocks the export of its master key, and a frozen DH key blocks derivation', async () => {
  const master = await createKey(freezes, { scheme: 'ECDSA', curve: 'secp256k1', masterKey: true });
  const child = await createKey(freezes, { scheme: 'ECDSA', curve: 'secp256k1', deriveFrom: { keyId: master.id } });
  const { id } = await freezes.freeze({ kind: 'Key', id: child.id });
  expect(await post(`/keys/${master.id}/export`, exporting())).toMatchObject(refusal(409, 'TargetFrozen'));
  await freezes.release(id);
  const shared = await createKey(freezes, { scheme: 'DH', curve: 'secp256k1' });
  const derive = () => post(`/keys/${shared.id}/derive`, { domain: '0x01', seed: '0x02' });
  const network = await freezes.freeze({ kind: 'Network', id: 'EthereumSepolia' });
  expect((await derive()).status).toBe(200);
  await freezes.release(network.id);
  const frozen = await freezes.freeze({ kind: 'Key', id: shared.id });
  expect(await derive()).toMatchObject(
    refusal(409, 'TargetFrozen', { freezeId: frozen.id, target: { kind: 'Key', id: shared.id } }),
  );
});

test('a frozen master key also stops the keys that are derived from it', async () => {
  const master = await createKey(freezes, { scheme: 'ECDSA', curve: 'secp256k1', masterKey: true });
  const child = await createKey(freezes, { scheme: 'ECDSA', curve: 'secp256k1', deriveFrom: { keyId: master.id } });
  const theirs = await freezes.createWallet({ signingKey: { id: child.id } });
  const { id } = await freezes.freeze({ kind: 'Key', id: master.id });
  const named = refusal(409, 'TargetFrozen', { freezeId: id, target: { kind: 'Key', id: master.id } });
  expect(await post(`/keys/${child.id}/signatures`, { kind: 'Hash', hash })).toMatchObject(named);
  expect(await post(`/keys/${child.id}/export`, exporting())).toMatchObject(named);
  const transfer = { kind: 'Native', to: `0x${'ab'.repeat(20)}`, amount: '1' };
  expect(await post(`/wallets/${theirs.id}/transfers`, transfer)).toMatchObject(named);
  await freezes.release(id);
  expect((await post(`/keys/${child.id}/signatures`, { kind: 'Hash', hash })).status).toBe(200);
});

test('a secret that was imported for two schemes is frozen and exported under both ids', async () => {
  await switchOn(freezes, freezes.orgId, 'keyImport');
  const secret = Buffer.alloc(32, 0x41);
  const imported = async (scheme: string) => {
    const share = await importOf(freezes, freezes.orgId, secret);
    const answer = await post('/keys/import', { ...share, scheme });
    return (answer.body as { readonly id: string }).id;
  };
  const [ecdsa, schnorr] = [await imported('ECDSA'), await imported('Schnorr')];
  const { id } = await freezes.freeze({ kind: 'Key', id: ecdsa });
  expect(await post(`/keys/${schnorr}/signatures`, { kind: 'Hash', hash })).toMatchObject(refusal(409, 'TargetFrozen'));
  await freezes.release(id);
  expect((await post(`/keys/${schnorr}/export`, exporting())).status).toBe(200);
  expect(await freezes.admin.client.get(`/keys/${ecdsa}`)).toMatchObject({ body: { exported: true } });
});

test('a freeze that was released only in the database still stops signatures, and the request stays open', async () => {
  const { id } = await freezes.freeze({ kind: 'Key', id: wallet.signingKey.id });
  const shown = async () => (await freezes.admin.client.get(`/freezes/${id}`)).body as FreezeBody;
  await waitUntil('the signer to receive the freeze', async () => (await shown()).dateSignerTold !== undefined);
  const lift = `UPDATE freezes SET date_released = now(), released_by = 'cr-1', release_action_id = 'ua-1' WHERE id = $1`;
  await asSuperuser((client) => client.query(lift, [id]), freezes.api.database.name);
  const answer = await USES['keysGenerateSignature']?.();
  expect(answer).toMatchObject({ status: 200, body: { status: expect.not.stringMatching(/Signed|Failed|Rejected/) } });
  const counts = (await freezes.signer.client.stats()).orders;
  expect(counts).toContainEqual(expect.objectContaining({ op: 'signPayload', outcome: 'Frozen' }));
}, 60_000);

test('the freeze of an end user’s own key stops its signatures too', async () => {
  expect((await USES['delegateWallet']?.())?.status).toBe(200);
  const { id } = await freezes.freeze({ kind: 'Key', id: wallet.signingKey.id });
  const ask = () => endUser.client.change('POST', `/keys/${wallet.signingKey.id}/signatures`, { kind: 'Hash', hash });
  expect(await ask()).toMatchObject(refusal(409, 'TargetFrozen'));
  await freezes.release(id);
  expect((await ask()).status).toBe(200);
});
