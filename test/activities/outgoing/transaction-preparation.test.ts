import { evmCodecOf } from '../../../chains/codecs';
import { evmDecoderOf } from '../../../chains/decoders';
import type { TransactionInput } from '../../../chains/evm/types';
import { KeyEntity } from '../../../entities/keys/key.entity';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { RECIPIENT } from '../../support/policies';
import { createTransferSteps, FEE_UNITS, type TransferSteps } from '../../support/transfer-steps';

const codec = evmCodecOf('EthereumSepolia');

let database: TestDatabase;
let steps: TransferSteps;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());
beforeEach(async () => {
  steps = await createTransferSteps(database.db, await database.createOrganization());
});

/** A judged row of a request for a raw transaction. */
const transaction = (input: TransactionInput = {}, set: Parameters<TransferSteps['transfer']>[0] = {}) => {
  const terms = codec.termsOf({ to: RECIPIENT, ...input }, steps.address, 'body');
  const { asset, recipient, amountUnits } = codec.effectOf(terms.call);
  return steps.transfer({
    form: 'Transaction',
    terms,
    askedNonce: terms.nonce,
    assetKind: asset.kind,
    toAddress: recipient,
    amountUnits: amountUnits.toString(),
    ...set,
  });
};

test('a prepared transaction carries the whole call, and the order to the signer has the digest of the call', async () => {
  const id = await transaction({ data: '0xc0ffee', value: 5, accessList: [{ address: RECIPIENT, storageKeys: [] }] });
  await steps.send(id);
  const { call } = evmDecoderOf('EthereumSepolia').decodeCall((await steps.payload(id)).unsignedHex);
  expect(call).toEqual((await steps.row(id)).terms?.call);
  expect(steps.orders.at(-1)?.intent).toMatchObject({
    to: RECIPIENT,
    amountUnits: '5',
    asset: { kind: 'Call' },
    callDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(await steps.events(id)).toEqual(['wallet.transaction.broadcasted 4']);
});

test('a requested nonce is claimed when it is the next, and a later transfer gets the nonce above it', async () => {
  steps.node.chainCount = 4;
  const id = await transaction({ nonce: 4 });
  expect(await steps.prepare(id)).toBe('Ready');
  expect(await steps.prepare(await steps.transfer())).toBe('Ready');
  expect(await steps.claims()).toEqual(['4 Signing', '5 Signing']);
});

test('a request waits outside the queue for the open request of the nonce below, and is woken when that nonce is claimed', async () => {
  const [first, second] = [await transaction({ nonce: 0 }), await transaction({ nonce: 1 })];
  expect(await steps.prepare(second)).toBe('Waiting');
  expect(await steps.row(second)).toMatchObject({ state: 'Approved', waitingSince: null });
  expect(await steps.prepare(first)).toBe('Ready');
  expect(await steps.signals(second)).toEqual(['laneChanged']);
  expect(await steps.prepare(second)).toBe('Ready');
});

test.each([
  ['the chain has already used', 2, 1],
  ['would leave a gap that no request fills', 0, 1],
])('a nonce that %s ends the transaction with nothing signed', async (_what, chainCount, nonce) => {
  const id = await transaction({ nonce });
  steps.node.chainCount = chainCount;
  expect(await steps.prepare(id)).toBe('Failed');
  expect(await steps.row(id)).toMatchObject({ state: 'Failed', reason: expect.stringContaining('nonce') });
  expect(await steps.claims()).toEqual([]);
});

test('a nonce that an open transfer has claimed ends the transaction with nothing signed', async () => {
  await steps.prepare(await steps.transfer());
  const id = await transaction({ nonce: 0 });
  expect(await steps.prepare(id)).toBe('Failed');
  expect(await steps.claims()).toEqual(['0 Signing']);
});

test('a transaction fails when its own fee price exceeds the ceiling, and waits when the market price does', async () => {
  const feeCeilingUnits = (FEE_UNITS - 1n).toString();
  expect(await steps.prepare(await transaction({ maxFeePerGas: '2000000000' }, { feeCeilingUnits }))).toBe('Failed');
  expect(await steps.prepare(await transaction({}, { feeCeilingUnits }))).toBe('FeeAboveCeiling');
});

test.each([
  ['delegated to another user', { delegatedTo: 'us-00000-00000-0000000000000000' }],
  ['exported', { dateExported: new Date() }],
  ['deleted', { status: 'Archived' as const }],
])('nothing is signed with a key that was %s since the request, for a transfer or a transaction', async (_what, change) => {
  const ids = [await transaction(), await steps.transfer()];
  const key = await database.db.read(steps.orgId).row(KeyEntity, '');
  await database.db.withOrg(steps.orgId, (tx) => tx.update(KeyEntity, { id: key?.id ?? '' }, change));
  for (const id of ids) {
    expect(await steps.prepare(id)).toBe('Failed');
    expect(await steps.row(id)).toMatchObject({ state: 'Failed', reason: expect.stringContaining('key') });
  }
  expect(await steps.claims()).toEqual([]);
});
