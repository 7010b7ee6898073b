import { evmCodecOf } from '../../../chains/codecs';
import { evmDecoderOf } from '../../../chains/decoders';
import { networkOf } from '../../../chains/networks';
import { AppError } from '../../../domain/errors';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { insertPolicy } from '../../support/held-activity';
import { BLOCK, NEVER, RECIPIENT } from '../../support/policies';
import { createTransferSteps, ETHER, FEE_UNITS, type TransferSteps } from '../../support/transfer-steps';

const TOKEN = '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238';
const { inFlightMax } = networkOf('EthereumSepolia');

let database: TestDatabase;
let steps: TransferSteps;

beforeAll(async () => {
  database = await createTestDatabase(24);
});
afterAll(() => database?.close());
beforeEach(async () => {
  steps = await createTransferSteps(database.db, await database.createOrganization());
});

const transfers = (count: number) => Promise.all(Array.from({ length: count }, () => steps.transfer()));
const fillLane = async () => {
  for (const id of await transfers(inFlightMax)) expect(await steps.prepare(id)).toBe('Ready');
};
const refuse = () => {
  steps.sign = () => Promise.reject(new AppError('SignerRefused', 'refused', { reason: 'UnknownNetwork', nothingSigned: true }));
};

test('a prepared transfer is in Signing with the chain’s next nonce and bytes that do what was approved', async () => {
  steps.node.chainCount = 7;
  const id = await steps.transfer({ amountUnits: '12345' });
  expect(await steps.prepare(id)).toBe('Ready');
  expect(await steps.row(id)).toMatchObject({ state: 'Signing', version: 2, waitingSince: null });
  expect(await steps.claims()).toEqual(['7 Signing']);
  const payload = await steps.payload(id);
  expect(payload).toMatchObject({ state: 'Built', nonce: 7, maxFeeUnits: FEE_UNITS.toString(), rawHex: null, txHash: null });
  expect(evmDecoderOf('EthereumSepolia').decode(payload.unsignedHex)).toMatchObject({
    chainId: 11_155_111,
    nonce: 7,
    recipient: RECIPIENT,
    amountUnits: 12_345n,
    opaque: [],
  });
});

test('a second run changes nothing: the claim, the bytes and the version stay the same', async () => {
  const id = await steps.transfer();
  await steps.prepare(id);
  const [before, row] = [await steps.payload(id), await steps.row(id)];
  steps.node.fees = { gas: 30_000n, maxFeePerGas: 9n, maxPriorityFeePerGas: 1n };
  expect(await steps.prepare(id)).toBe('Ready');
  expect(await steps.payload(id)).toEqual(before);
  expect(await steps.row(id)).toEqual(row);
  expect(await steps.claims()).toEqual(['0 Signing']);
});

test('eight runs at once prepare once', async () => {
  const id = await steps.transfer();
  expect(new Set(await Promise.all(Array.from({ length: 8 }, () => steps.prepare(id))))).toEqual(new Set(['Ready']));
  expect(await steps.claims()).toEqual(['0 Signing']);
  expect(await steps.row(id)).toMatchObject({ state: 'Signing', version: 2 });
});

test('transfers prepared at once get consecutive nonces without duplicates', async () => {
  const ids = await transfers(12);
  await Promise.all(ids.map((id) => steps.prepare(id)));
  const nonces = await Promise.all(ids.map(async (id) => (await steps.payload(id)).nonce));
  expect(nonces.sort((a, b) => Number(a) - Number(b))).toEqual([...ids.keys()]);
});

test('a lane (the queue of one sender) takes exactly as many transfers as the network record allows; waiting transfers enter in order', async () => {
  await fillLane();
  const [first = '', second = ''] = [await steps.transfer(), await steps.transfer()];
  expect(await steps.prepare(second)).toBe('Waiting');
  expect(await steps.prepare(first)).toBe('Waiting');
  const since = (await steps.row(second)).waitingSince;
  expect(await steps.prepare(second)).toBe('Waiting');
  expect((await steps.row(second)).waitingSince).toEqual(since);

  const gone = (await database.db.read(steps.orgId).select<{ id: string }>('SELECT transfer_id AS id FROM claims LIMIT 1'))[0];
  refuse();
  expect(await steps.signTransfer(gone?.id ?? '')).toBe('Refused');
  expect(await steps.prepare(first)).toBe('Waiting');
  expect(await steps.prepare(second)).toBe('Ready');
  expect(await steps.row(second)).toMatchObject({ state: 'Signing', waitingSince: null });
  expect(await steps.claims()).toHaveLength(inFlightMax);
});

test('a new transfer queues behind those that wait, even when a place is free', async () => {
  await fillLane();
  const waiting = await steps.transfer();
  await steps.prepare(waiting);
  const gone = (await database.db.read(steps.orgId).select<{ id: string }>('SELECT transfer_id AS id FROM claims LIMIT 1'))[0];
  refuse();
  await steps.signTransfer(gone?.id ?? '');
  const newcomer = await steps.transfer();
  expect(await steps.prepare(newcomer)).toBe('Waiting');
  expect(await steps.prepare(waiting)).toBe('Ready');
});

test('a released nonce is used next, because a missing nonce blocks all higher ones', async () => {
  const [first = '', second = '', third = ''] = await transfers(3);
  for (const id of [first, second]) await steps.prepare(id);
  refuse();
  await steps.signTransfer(first);
  expect(await steps.claims()).toEqual(['1 Signing']);
  await steps.prepare(third);
  expect((await steps.payload(third)).nonce).toBe(0);
});

test('a nonce that the chain counts as used is never claimed', async () => {
  await steps.prepare(await steps.transfer());
  steps.node.chainCount = 5;
  const id = await steps.transfer();
  await steps.prepare(id);
  expect((await steps.payload(id)).nonce).toBe(5);
});

test('a transfer waits and does not fail while open transfers leave no funds for it', async () => {
  steps.node.nativeUnits = 2n * (ETHER + FEE_UNITS) - 1n;
  const [first = '', second = ''] = await transfers(2);
  expect(await steps.prepare(first)).toBe('Ready');
  expect(await steps.prepare(second)).toBe('Waiting');
  expect(await steps.row(second)).toMatchObject({ state: 'Approved', version: 1, waitingSince: expect.any(Date) });
  steps.node.nativeUnits += 1n;
  expect(await steps.prepare(second)).toBe('Ready');
});

test('open token transfers reserve their own token and the fee, and no other token', async () => {
  steps.node.nativeUnits = 10n * FEE_UNITS;
  steps.node.tokenUnits = 150n;
  const token = { contract: TOKEN, amountUnits: '100' };
  const [first, second] = [await steps.transfer(token), await steps.transfer(token)];
  expect(await steps.prepare(first)).toBe('Ready');
  expect(await steps.prepare(second)).toBe('Waiting');
  const other = () => steps.transfer({ contract: RECIPIENT, amountUnits: '150' });
  expect(await steps.prepare(await other())).toBe('Ready');
  steps.node.nativeUnits = 3n * FEE_UNITS - 1n;
  expect(await steps.prepare(await other())).toBe('Waiting');
});

test.each([
  [
    'the amount and the fee',
    { amountUnits: ETHER.toString() },
    { nativeUnits: ETHER + FEE_UNITS - 1n },
    { nativeUnits: ETHER + FEE_UNITS },
  ],
  ['the tokens', { contract: TOKEN, amountUnits: '100' }, { tokenUnits: 99n }, { tokenUnits: 100n }],
  [
    'the fee of a token transfer',
    { contract: TOKEN, amountUnits: '0' },
    { nativeUnits: FEE_UNITS - 1n },
    { nativeUnits: FEE_UNITS },
  ],
])(
  'a transfer fails when the sender has one unit less than %s, and the exact sum is enough',
  async (_what, set, less, enough) => {
    const [poor, rich] = [await steps.transfer(set), await steps.transfer(set)];
    Object.assign(steps.node, less);
    expect(await steps.prepare(poor)).toBe('Failed');
    expect(await steps.row(poor)).toMatchObject({ state: 'Failed', reason: 'Insufficient funds for the amount and its fee' });
    expect(await steps.events(poor)).toEqual(['wallet.transfer.failed 2']);
    expect(await steps.claims()).toEqual([]);
    Object.assign(steps.node, less, enough);
    expect(await steps.prepare(rich)).toBe('Ready');
  },
);

test('a fee equal to the approved ceiling is paid; with a fee one unit above it the transfer waits without a claim', async () => {
  const ceiling = (feeCeilingUnits: bigint) => steps.transfer({ feeCeilingUnits: feeCeilingUnits.toString() });
  const [above, at] = [await ceiling(FEE_UNITS - 1n), await ceiling(FEE_UNITS)];
  expect(await steps.prepare(above)).toBe('FeeAboveCeiling');
  expect(await steps.row(above)).toMatchObject({ state: 'Approved', version: 1, waitingSince: null });
  expect(await steps.claims()).toEqual([]);
  expect(await steps.prepare(at)).toBe('Ready');
});

test('policies that changed after the judgement send the transfer back to be judged, before a nonce is claimed', async () => {
  const id = await steps.transfer();
  await insertPolicy(database.db, steps.orgId, { rule: NEVER, action: BLOCK });
  expect(await steps.prepare(id)).toBe('PolicyChanged');
  expect(await steps.prepare(await steps.transfer({ policyEpoch: null }))).toBe('PolicyChanged');
  expect(await steps.claims()).toEqual([]);
  expect(await steps.prepare(await steps.transfer({ policyEpoch: 2 }))).toBe('Ready');
});

test('a transfer ends as Failed with the node’s reason when the node reports that it would fail', async () => {
  const id = await steps.transfer();
  steps.readFees = () => Promise.reject(new AppError('TransferWouldFail', 'The network reports that this transfer would fail'));
  expect(await steps.prepare(id)).toBe('Failed');
  expect(await steps.row(id)).toMatchObject({ state: 'Failed', reason: 'The network reports that this transfer would fail' });
});

test('a node that does not answer leaves the transfer unchanged', async () => {
  const id = await steps.transfer();
  steps.readFees = () => Promise.reject(new AppError('NetworkUnavailable', 'no node answers'));
  await expect(steps.prepare(id)).rejects.toMatchObject({ code: 'NetworkUnavailable', retryable: true });
  expect(await steps.row(id)).toMatchObject({ state: 'Approved', version: 1 });
});

test('a late failure of an overtaken attempt does not end a transfer that another attempt has sent', async () => {
  const id = await steps.transfer();
  const fees = steps.node.fees;
  let readings = 0;
  let isAsked = () => {};
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  let letGo = () => {};
  const released = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  steps.readFees = async () => {
    readings += 1;
    if (readings > 1) return fees;
    isAsked();
    await released;
    throw new AppError('TransferWouldFail', 'the balance is spent');
  };
  const late = steps.prepare(id);
  await asked;
  await steps.send(id);
  letGo();
  expect(await late).toBe('Ready');
  expect(await steps.row(id)).toMatchObject({ state: 'Broadcasted' });
  expect(await steps.claims()).toEqual(['0 Signing']);
});

test.each([
  ['Requested', 'PolicyChanged'],
  ['AwaitingApproval', 'PolicyChanged'],
  ['Signed', 'Ready'],
  ['Broadcasted', 'Ready'],
  ['Confirmed', 'Ready'],
  ['Failed', 'Failed'],
  ['Rejected', 'Failed'],
] as const)('a transfer in %s is not prepared, and the step returns %s', async (state, answer) => {
  const id = await steps.transfer({ state });
  expect(await steps.prepare(id)).toBe(answer);
  expect(await steps.row(id)).toMatchObject({ state, version: 1 });
  expect(await steps.claims()).toEqual([]);
});

test('nothing is claimed when the built bytes differ from what was approved', async () => {
  const id = await steps.transfer();
  const codec = evmCodecOf('EthereumSepolia');
  const { build } = codec;
  jest.spyOn(codec, 'build').mockImplementation((intent, nonce, fees) => build({ ...intent, to: steps.address }, nonce, fees));
  await expect(steps.prepare(id)).rejects.toMatchObject({ code: 'EnvelopeMismatch', retryable: false });
  jest.restoreAllMocks();
  expect(await steps.claims()).toEqual([]);
  expect(await steps.row(id)).toMatchObject({ state: 'Approved', version: 1 });
});

test('a transfer of another organisation is not found', async () => {
  const other = await createTransferSteps(database.db, await database.createOrganization());
  await expect(steps.prepare(await other.transfer())).rejects.toMatchObject({ code: 'NotFound' });
});
