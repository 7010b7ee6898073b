import { failTransfer } from '../../../application/outgoing/end/fail';
import { settle } from '../../../application/outgoing/end/settle';
import { OutgoingEntity } from '../../../entities/outgoing/outgoing.entity';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { createTransferSteps, FEE_UNITS, type TransferSteps } from '../../support/transfer-steps';

let database: TestDatabase;
let steps: TransferSteps;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());
beforeEach(async () => {
  steps = await createTransferSteps(database.db, await database.createOrganization());
});

type Kind = 'SpeedUp' | 'Cancel';
const CANCEL = { assetKind: 'Native', contract: null, amountUnits: '0' } as const;

/** A judged replacement of the request `replacesId`. */
async function rivalOf(replacesId: string, replacementKind: Kind, claimsOf = replacesId): Promise<string> {
  const same = replacementKind === 'Cancel' ? { ...CANCEL, toAddress: steps.address } : {};
  const id = await steps.transfer({ form: 'Transaction', replacementKind, replacesId, claimsOf, ...same });
  await database.db.withOrg(steps.orgId, (tx) => tx.update(OutgoingEntity, { id: replacesId }, { replacedById: id }));
  return id;
}
const sent = async (): Promise<string> => {
  const id = await steps.transfer();
  await steps.send(id);
  return id;
};

/** Settles the request as the follower does once its payload is final. */
async function final(id: string, success = true) {
  const { orgId, id: payloadId, transferId, txHash, includedHeight, includedHash } = await steps.payload(id);
  const payload = {
    orgId,
    id: payloadId,
    transferId,
    txHash: txHash ?? '',
    operationHash: null,
    state: 'Broadcasted' as const,
    includedHeight,
    includedHash,
  };
  const receipt = { height: 10, blockHash: '0xaa', success, feeUnits: 21n };
  await settle(database.db, steps.orgId, 'EthereumSepolia', [{ payload, receipt }]);
}

test('a replacement uses the same nonce with fees at least one eighth higher, and its order to the signer names the replaced request', async () => {
  const first = await sent();
  const faster = await rivalOf(first, 'SpeedUp');
  await steps.send(faster);
  const [before, after] = [await steps.payload(first), await steps.payload(faster)];
  expect(after).toMatchObject({ nonce: before.nonce, fromAddress: before.fromAddress });
  expect(BigInt(after.maxFeeUnits) * 8n).toBeGreaterThanOrEqual(BigInt(before.maxFeeUnits) * 9n);
  expect(steps.orders.at(-1)).toMatchObject({ requestId: faster, replaces: first, intent: steps.orders[0]?.intent });
  expect(await steps.claims()).toEqual(['0 Signing']);

  const none = await rivalOf(faster, 'Cancel', first);
  await steps.send(none);
  const { intent } = steps.orders.at(-1) ?? {};
  expect(intent).toMatchObject({ from: steps.address, to: steps.address, amountUnits: '0', asset: { kind: 'Native' } });
  expect(BigInt((await steps.payload(none)).maxFeeUnits)).toBeGreaterThan(BigInt(after.maxFeeUnits));
  expect(await steps.claims()).toEqual(['0 Signing']);
});

test.each([
  ['the first', 0],
  ['the faster one', 1],
  ['the cancellation of the faster one', 2],
])('%s wins and ends the other requests, which name the winner, and the nonce is consumed once', async (_which, winner) => {
  const first = await sent();
  const faster = await rivalOf(first, 'SpeedUp');
  await steps.send(faster);
  const none = await rivalOf(faster, 'Cancel', first);
  await steps.send(none);
  const ids = [first, faster, none];
  await final(ids[winner] ?? '');
  // A later receipt for another of the three requests changes nothing.
  for (const id of ids) await final(id);
  const { id: won, txHash } = await steps.row(ids[winner] ?? '');
  for (const id of ids) {
    const end =
      id === won
        ? { state: 'Confirmed' }
        : { state: 'Failed', reason: `Replaced: ${won} was included in its place as ${txHash}` };
    expect(await steps.row(id)).toMatchObject(end);
    expect(await steps.payload(id)).toMatchObject({ state: id === won ? 'Final' : 'Replaced' });
    expect((await steps.events(id)).filter((event) => /confirmed|failed/.test(event))).toHaveLength(1);
    expect(await steps.signals(id)).toContain(`settled ${id === won ? 'Confirmed' : 'Failed'}`);
  }
  expect(await steps.claims()).toEqual(['0 Consumed']);
});

test('a shared claim (the reservation of a nonce) stays while any of its requests may have been signed, and is released when the last one fails', async () => {
  const first = await steps.transfer();
  await steps.prepare(first);
  const none = await rivalOf(first, 'Cancel');
  await steps.prepare(none);
  const fail = (id: string) =>
    database.db.withOrg(steps.orgId, (tx) => failTransfer(tx, id, ['Signing'], 'the signer promises never to sign it'));
  await fail(first);
  expect(await steps.claims()).toEqual(['0 Signing']);
  await fail(none);
  expect(await steps.claims()).toEqual([]);

  const signed = await sent();
  const late = await rivalOf(signed, 'SpeedUp');
  await steps.prepare(late);
  await fail(late);
  expect(await steps.claims()).toEqual(['0 Signing']);
});

test('a replacement that comes too late, or costs more than the balance, fails without an effect', async () => {
  const first = await sent();
  const faster = await rivalOf(first, 'SpeedUp');
  steps.node.chainCount = 1;
  expect(await steps.prepare(faster)).toBe('Failed');
  expect(await steps.row(faster)).toMatchObject({
    reason: 'The nonce was used before another transaction could replace this one',
  });
  steps.node.chainCount = 0;
  steps.node.nativeUnits = 1n;
  const poor = await rivalOf(first, 'Cancel');
  expect(await steps.prepare(poor)).toBe('Failed');
  expect(await steps.row(poor)).toMatchObject({ reason: 'Insufficient funds for the higher fee' });
  steps.node.nativeUnits = 10n ** 20n;
  steps.node.fees = { ...steps.node.fees, maxFeePerGas: 1_000n * FEE_UNITS };
  expect(await steps.prepare(await rivalOf(first, 'Cancel'))).toBe('FeeAboveCeiling');
  expect(await steps.row(first)).toMatchObject({ state: 'Broadcasted' });
  expect(await steps.claims()).toEqual(['0 Signing']);
});

test('when the funds for a later transfer are checked, the more expensive of two competing payloads is taken into account', async () => {
  const first = await sent();
  await steps.send(await rivalOf(first, 'SpeedUp'));
  const [{ amountUnits }, { maxFeeUnits }] = [
    await steps.row(first),
    await steps.payload((await steps.row(first)).replacedById ?? ''),
  ];
  steps.node.nativeUnits = BigInt(amountUnits) * 2n + FEE_UNITS + BigInt(maxFeeUnits) - 1n;
  expect(await steps.prepare(await steps.transfer())).toBe('Waiting');
  steps.node.nativeUnits += 1n;
  expect(await steps.prepare(await steps.transfer({ amountUnits }))).not.toBe('Failed');
});

test('abort: a transfer ends if the signer promises never to sign it, and continues if it was already signed', async () => {
  const asked = async () => {
    const id = await steps.transfer();
    await steps.prepare(id);
    await database.db.withOrg(steps.orgId, (tx) => tx.update(OutgoingEntity, { id }, { abortAsked: new Date() }));
    return id;
  };
  const ends = await asked();
  expect(await steps.signTransfer(ends)).toBe('Refused');
  expect(await steps.row(ends)).toMatchObject({ state: 'Failed', reason: 'Aborted on request before anything was signed' });
  expect([await steps.claims(), steps.orders]).toEqual([[], []]);
  const goesOn = await asked();
  steps.withdraw = async () => ({ withdrawn: false });
  expect(await steps.signTransfer(goesOn)).toBe('Signed');
  expect(await steps.claims()).toEqual(['0 Signing']);
});
