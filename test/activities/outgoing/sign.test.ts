import { evmCodecOf } from '../../../chains/codecs';
import { AppError } from '../../../domain/errors';
import { KeyEntity } from '../../../entities/keys/key.entity';
import { SignTransferOrder } from '../../../signer/orders/transfer-orders';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { RECIPIENT } from '../../support/policies';
import { createTransferSteps, ETHER, FEE_UNITS, type TransferSteps } from '../../support/transfer-steps';

let database: TestDatabase;
let steps: TransferSteps;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());
beforeEach(async () => {
  steps = await createTransferSteps(database.db, await database.createOrganization());
});
afterEach(() => jest.restoreAllMocks());

const prepared = async (set = {}): Promise<string> => {
  const id = await steps.transfer(set);
  expect(await steps.prepare(id)).toBe('Ready');
  return id;
};
const refusal = (nothingSigned: boolean) =>
  new AppError('SignerRefused', 'the signer refused: AmountMismatch', { nothingSigned });
const attached = () => jest.spyOn(evmCodecOf('EthereumSepolia'), 'attach');

/** A gate at which an attempt waits until the test opens the gate. */
function gate() {
  const ways = { arrive: () => {}, open: () => {} };
  const arrived = new Promise<void>((resolve) => {
    ways.arrive = resolve;
  });
  const opened = new Promise<void>((resolve) => {
    ways.open = resolve;
  });
  return { arrived, opened, arrive: () => ways.arrive(), open: () => ways.open() };
}

test('the order states what was approved and contains the bytes that were prepared', async () => {
  const id = await prepared({ externalId: 'invoice 7' });
  expect(await steps.signTransfer(id)).toBe('Signed');
  const [order] = steps.orders;
  expect(order).toMatchObject({
    requestId: id,
    intentId: 'transfer:invoice 7',
    orgId: steps.orgId,
    network: 'EthereumSepolia',
    chainId: 11_155_111,
    intent: { from: steps.address, to: RECIPIENT, amountUnits: ETHER.toString(), asset: { kind: 'Native' } },
    nonce: 0,
    feeCeilingUnits: (100n * FEE_UNITS).toString(),
    bytesHex: (await steps.payload(id)).unsignedHex,
    sealed: { orgId: steps.orgId, ciphertextHex: 'cc' },
    dek: { orgId: steps.orgId, wrappedHex: 'aa' },
    evidence: [{ kind: 'Initiator', userId: steps.userId }],
    policyEpoch: 1,
  });
  expect(Date.parse(order?.notAfter ?? '') - Date.parse(order?.issuedAt ?? '')).toBe(60_000);
  // These fields are for a replacement, for a nonce in a lane of its own, and for an encrypted amount.
  const further = ['replaces', 'nonceKey', 'encrypted'];
  expect([...Object.keys(order ?? {}), ...further].sort()).toEqual(Object.keys(SignTransferOrder.shape).sort());
});

test('a prepared transfer is signed even when its key was deleted meanwhile, because its nonce is claimed', async () => {
  const id = await prepared();
  await database.db.withOrg(steps.orgId, (tx) => tx.update(KeyEntity, { status: 'Active' }, { status: 'Archived' }));
  expect(await steps.signTransfer(id)).toBe('Signed');
});

test('signed bytes and transaction id are committed before the bytes are sent, and the id is that of the bytes', async () => {
  const id = await prepared();
  await steps.signTransfer(id);
  const payload = await steps.payload(id);
  expect(payload).toMatchObject({ state: 'Signed', dateSigned: expect.any(Date), dateSent: null });
  expect(await steps.row(id)).toMatchObject({ state: 'Signed', version: 3, txHash: payload.txHash });
  expect(payload.rawHex).toMatch(/^0x02/);
  expect(payload.txHash).toMatch(/^0x[0-9a-f]{64}$/);
  expect(steps.chain.sent).toEqual([]);
  expect(await steps.events(id)).toEqual([]);
});

test('a refusal with nothingSigned fails the transfer, frees its nonce and wakes the next transfer', async () => {
  const [id, waiting] = [await prepared(), await steps.transfer({ waitingSince: new Date('2030-01-01T00:00:00Z') })];
  const later = await steps.transfer({ waitingSince: new Date('2030-01-02T00:00:00Z') });
  steps.sign = () => Promise.reject(refusal(true));
  expect(await steps.signTransfer(id)).toBe('Refused');
  expect(await steps.row(id)).toMatchObject({ state: 'Failed', reason: 'the signer refused: AmountMismatch', version: 3 });
  expect(await steps.claims()).toEqual([]);
  expect(await steps.events(id)).toEqual(['wallet.transfer.failed 3']);
  expect([await steps.signals(waiting), await steps.signals(later)]).toEqual([['laneChanged'], []]);
});

test('a refusal emits one event, however often the step runs', async () => {
  const id = await prepared();
  steps.sign = () => Promise.reject(refusal(true));
  expect([await steps.signTransfer(id), await steps.signTransfer(id)]).toEqual(['Refused', 'Refused']);
  expect(steps.orders).toHaveLength(1);
  expect(await steps.events(id)).toHaveLength(1);
});

test.each([
  ['the refusal states that the signer may have signed before', refusal(false)],
  ['the refusal does not state whether anything was signed', new AppError('SignerRefused', 'refused')],
  ['the signer cannot be reached', new AppError('SignerUnavailable', 'no answer', { nothingSigned: true })],
  ['the connection broke', new Error('ECONNRESET')],
])('when %s the transfer and its nonce stay as they are', async (_why, error) => {
  const id = await prepared();
  steps.sign = () => Promise.reject(error);
  await expect(steps.signTransfer(id)).rejects.toBe(error);
  expect(await steps.row(id)).toMatchObject({ state: 'Signing', version: 2 });
  expect(await steps.claims()).toEqual(['0 Signing']);
  expect(await steps.events(id)).toEqual([]);
});

test('a crash between the signer’s answer and our commit leads to the same bytes, stored once', async () => {
  const id = await prepared();
  const spy = attached().mockImplementationOnce(() => {
    throw new Error('the process is gone');
  });
  await expect(steps.signTransfer(id)).rejects.toThrow('gone');
  expect(await steps.row(id)).toMatchObject({ state: 'Signing' });
  expect(await steps.signTransfer(id)).toBe('Signed');
  const payload = await steps.payload(id);
  expect(await steps.signTransfer(id)).toBe('Signed');
  expect(await steps.payload(id)).toEqual(payload);
  expect(await steps.row(id)).toMatchObject({ state: 'Signed', version: 3 });
  expect(steps.orders.map(({ requestId, bytesHex }) => ({ requestId, bytesHex }))).toEqual(
    Array(2).fill({ requestId: id, bytesHex: payload.unsignedHex }),
  );
  expect(spy).toHaveBeenCalledTimes(2);
});

test('two attempts at once store one signature', async () => {
  const id = await prepared();
  expect(await Promise.all([steps.signTransfer(id), steps.signTransfer(id)])).toEqual(['Signed', 'Signed']);
  expect(await steps.row(id)).toMatchObject({ state: 'Signed', version: 3 });
});

test('a late refusal to an overtaken attempt does not undo the signature of another attempt', async () => {
  const id = await prepared();
  const late = gate();
  const { sign } = steps;
  steps.sign = async () => {
    late.arrive();
    await late.opened;
    throw refusal(true);
  };
  const overtaken = steps.signTransfer(id);
  await late.arrived;
  steps.sign = sign;
  expect(await steps.signTransfer(id)).toBe('Signed');
  late.open();
  expect(await overtaken).toBe('Signed');
  expect(await steps.row(id)).toMatchObject({ state: 'Signed', version: 3, reason: null });
  expect(await steps.claims()).toEqual(['0 Signing']);
  expect(await steps.events(id)).toEqual([]);
});

test('a signature by a different key or over different bytes is never stored', async () => {
  const [id, other] = [await prepared(), await prepared({ amountUnits: '5' })];
  const { sign } = steps;
  const foreign = await createTransferSteps(database.db, await database.createOrganization());
  steps.sign = foreign.sign;
  await expect(steps.signTransfer(id)).rejects.toMatchObject({ code: 'EnvelopeMismatch' });
  const { unsignedHex } = await steps.payload(other);
  steps.sign = (order) => sign({ ...order, bytesHex: unsignedHex });
  await expect(steps.signTransfer(id)).rejects.toMatchObject({ code: 'EnvelopeMismatch' });
  expect(await steps.payload(id)).toMatchObject({ state: 'Built', rawHex: null, txHash: null });
  expect(await steps.claims()).toEqual(['0 Signing', '1 Signing']);
});

test.each([
  ['Signed', 'Signed'],
  ['Broadcasted', 'Signed'],
  ['Confirmed', 'Signed'],
  ['Failed', 'Refused'],
] as const)('a transfer in %s is not sent to the signer again', async (state, answer) => {
  expect(await steps.signTransfer(await steps.transfer({ state }))).toBe(answer);
  expect(steps.orders).toEqual([]);
});

test('a transfer that is not prepared is never sent to the signer', async () => {
  for (const state of ['Requested', 'AwaitingApproval', 'Approved'] as const) {
    await steps.signTransfer(await steps.transfer({ state }));
  }
  expect(steps.orders).toEqual([]);
});
