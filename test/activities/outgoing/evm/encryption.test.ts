import { encryptingFirst } from '../../../../activities/outgoing/evm/encryption';
import { recordReplacement } from '../../../../application/outgoing/request-replacement';
import { evmDecoderOf } from '../../../../chains/decoders';
import { outgoingStore } from '../../../../entities/outgoing/outgoing.store';
import { createTestDatabase, type TestDatabase } from '../../../support/database';
import { RECIPIENT } from '../../../support/policies';
import { createTransferSteps, type TransferSteps } from '../../../support/transfer-steps';
import { API_KEY, startVendors, type Vendors } from '../../../support/vendors';

const TOKEN = '0x0000000000000000000000000000000000007984';

let database: TestDatabase;
let vendors: Vendors;
let steps: TransferSteps;

beforeAll(async () => {
  [database, vendors] = await Promise.all([createTestDatabase(8), startVendors()]);
});
afterAll(async () => {
  await vendors?.close();
  await database?.close();
});
beforeEach(async () => {
  await vendors.forget('ConfidentialAmounts');
  steps = await createTransferSteps(database.db, await database.createOrganization());
  steps.encryption = { baseUrl: vendors.url('ConfidentialAmounts'), apiKey: API_KEY, timeoutMs: 400 };
});

const asked = () => steps.transfer({ assetKind: 'Erc7984', contract: TOKEN, amountUnits: '700' });
const tell = (instruction: unknown) => vendors.tell('ConfidentialAmounts', instruction);
const questions = async () => (await vendors.asked('ConfidentialAmounts')).length;

test('the approved amount is encrypted once and stored, and the bytes and the order to the signer carry this ciphertext', async () => {
  const id = await asked();
  expect((await Promise.all([1, 2, 3].map(() => steps.prepare(id)))).every((said) => said === 'Ready')).toBe(true);
  const { encryptedAmount } = await steps.row(id);
  expect((await vendors.asked('ConfidentialAmounts'))[0]).toMatchObject({
    path: `/v1/encrypted-amounts/${id}`,
    body: { chainId: 11_155_111, contract: TOKEN, sender: steps.address, amount: '700' },
  });
  expect(evmDecoderOf('EthereumSepolia').decode((await steps.payload(id)).unsignedHex)).toMatchObject({
    asset: { kind: 'Erc7984', contract: TOKEN },
    recipient: RECIPIENT,
    encrypted: encryptedAmount,
    opaque: [],
  });
  const before = await questions();
  expect(await steps.signTransfer(id)).toBe('Signed');
  expect(steps.orders).toMatchObject([
    { encrypted: encryptedAmount, intent: { amountUnits: '700', asset: { kind: 'Erc7984', contract: TOKEN } } },
  ]);
  expect(await questions()).toBe(before);
});

test('a speed-up has the same ciphertext, and the service is not asked again', async () => {
  const id = await asked();
  await steps.send(id);
  const { requesterUserId, requesterTokenId, encryptedAmount } = await steps.row(id);
  const by = { requesterUserId, requesterTokenId, userActionId: null, madeByService: false };
  const { id: faster } = await database.db.withOrg(steps.orgId, async (tx) =>
    recordReplacement(tx, await outgoingStore.lockBehindRoot(tx, id), 'SpeedUp', by),
  );
  expect(encryptedAmount).not.toBeNull();
  expect(await steps.row(faster)).toMatchObject({ assetKind: 'Erc7984', encryptedAmount });
  const { id: none } = await database.db.withOrg(steps.orgId, async (tx) => {
    await tx.query(`UPDATE transfers SET state = 'Failed' WHERE id = $1`, [faster]);
    return recordReplacement(tx, await outgoingStore.lockBehindRoot(tx, id), 'Cancel', by);
  });
  expect(await steps.row(none)).toMatchObject({ assetKind: 'Native', encryptedAmount: null });
});

test.each([
  ['is silent', { behaviour: { kind: 'Silent' } }],
  ['answers garbage', { behaviour: { kind: 'Garbage' } }],
  ['responds for a different chain', { script: { answer: 'Chain' } }],
  ['is still at work', { script: { answer: 'Pending' } }],
])(
  'while the service %s, nothing is claimed or built, the record states the reason, and the transfer then continues by itself',
  async (_how, instruction) => {
    await tell(instruction);
    const id = await asked();
    await expect(steps.prepare(id)).rejects.toMatchObject({ code: 'EncryptionUnavailable', retryable: true });
    expect(await steps.row(id)).toMatchObject({
      state: 'Approved',
      encryptedAmount: null,
      hindrance: { kind: 'Retrying', detail: 'EncryptionUnavailable' },
    });
    expect(await steps.claims()).toEqual([]);
    await vendors.forget('ConfidentialAmounts');
    expect(await steps.prepare(id)).toBe('Ready');
  },
);

test('without a service, the request waits until the operator configures one', async () => {
  steps.encryption = undefined;
  const id = await asked();
  await expect(steps.prepare(id)).rejects.toThrow(/NETWORK_SETTINGS names no confidentialAmounts/);
  expect(await steps.claims()).toEqual([]);
});

test('a transfer that the service refuses for good ends as Failed with its reason, and nothing was claimed', async () => {
  await tell({ script: { answer: 'Refused' } });
  const id = await asked();
  expect(await steps.prepare(id)).toBe('Failed');
  expect(await steps.row(id)).toMatchObject({ reason: 'The service that encrypts amounts refuses this amount' });
  expect(await steps.claims()).toEqual([]);
});

test('a slow service is asked for at most eight amounts at once, and the ninth is retried later', async () => {
  await tell({ behaviour: { kind: 'Slow', delayMs: 150 } });
  const ids = await Promise.all(Array.from({ length: 9 }, asked));
  const rows = await Promise.all(ids.map((id) => steps.row(id)));
  const withEncrypted = encryptingFirst(database.db, () => steps.encryption);
  const said = await Promise.all(rows.map((row) => withEncrypted(row).then(({ encryptedAmount }) => encryptedAmount, String)));
  expect(said.filter((one) => typeof one === 'object' && one !== null)).toHaveLength(8);
  expect(said.filter((one) => /the limit of simultaneous requests is reached/.test(String(one)))).toHaveLength(1);
});
