import { endExpired } from '../../../application/outgoing/end/expired-transfers';
import { failTransfer } from '../../../application/outgoing/end/fail';
import { FreezeEntity } from '../../../entities/freezes/freeze.entity';
import { laneStore } from '../../../entities/outgoing/lane.store';
import { SignatureEntity } from '../../../entities/signatures/signature.entity';
import { newId } from '../../../platform/ids';
import { startBank, type TestBank } from '../../local/solana/bank';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { advanceOf, createSolanaSteps, type SolanaSteps } from '../../support/solana-steps';

let database: TestDatabase;
let bank: TestBank;
let steps: SolanaSteps;
let signatureId: string;
/** The bytes that were signed for a caller: a transfer of a lamport to the recipient. */
let bytesHex: string;
let claim: { readonly kind: 'durable-nonce'; readonly key: string; readonly lane: string; readonly value: null };
beforeAll(async () => {
  [database, bank] = await Promise.all([createTestDatabase(), startBank()]);
});
afterAll(() => Promise.all([database?.close(), bank?.close()]));
beforeEach(async () => {
  steps = await createSolanaSteps(database.db, await database.createOrganization(), bank);
  const [nonce] = await steps.makeNonces(1);
  const { address } = steps.wallet;
  claim = { kind: 'durable-nonce', key: `${nonce?.account}:${nonce?.value}`, lane: address, value: null };
  bytesHex = await advanceOf(steps);
  signatureId = newId('signature');
  const { keyId, requesterUserId, userActionId } = await steps.grounds();
  await database.db.withOrg(steps.orgId, async (tx) => {
    await tx.insert(SignatureEntity, {
      ...{ orgId: tx.orgId, id: signatureId, keyId, walletId: steps.walletId, network: 'SolanaDevnet', kind: 'Transaction' },
      ...{ requesterUserId, userActionId, requestBody: {}, requestDigest: signatureId, state: 'Signed' },
      ...{
        payload: { kind: 'SolanaTransaction', network: 'SolanaDevnet', bytesHex },
        claimNetwork: 'SolanaDevnet',
        fromAddress: address,
      },
    });
    await laneStore.claimForSignature(tx, 'SolanaDevnet', signatureId, [claim]);
  });
});

const cancellation = () =>
  steps.transfer({
    ...{ form: 'Transaction', replacementKind: 'Cancel', cancelsSignatureId: signatureId },
    ...{ toAddress: steps.wallet.address, amountUnits: '0' },
  });
const nextIsReady = async () => steps.prepare(await steps.transfer({ options: { useDurableNonce: true } }));

test('a cancellation that is prepared twice advances the nonce with a transfer of zero and takes over the claim of the nonce', async () => {
  const id = await cancellation();
  expect(await steps.claims()).toMatchObject([{ ...claimed(), transferId: null }]);
  expect([await steps.prepare(id), await steps.prepare(id)]).toEqual(['Ready', 'Ready']);
  expect(await steps.claims()).toMatchObject([{ ...claimed(), transferId: id }]);
  expect(await nextIsReady()).toBe('Waiting');
  await steps.send(id);
  expect(steps.orders.at(-1)).toMatchObject({ replaces: signatureId, intent: { amountUnits: '0', to: steps.wallet.address } });
  bank.call('strongroom_advanceSlots', 4);
  const before = await steps.reader.nativeBalance(steps.recipient);
  await expect(steps.sendBehindOurBack(bytesHex)).rejects.toThrow('Rejected');
  expect(await steps.reader.nativeBalance(steps.recipient)).toBe(before);
});

test('a cancellation that ends unsigned returns the claim to the signature, and the next cancellation may take it over', async () => {
  const id = await cancellation();
  await steps.prepare(id);
  await database.db.withOrg(steps.orgId, (tx) => failTransfer(tx, id, ['Signing'], 'Aborted'));
  expect(await steps.claims()).toMatchObject([{ ...claimed(), transferId: null }]);
  expect(await nextIsReady()).toBe('Waiting');
  expect(await steps.prepare(await cancellation())).toBe('Ready');
});

test('if the caller still sends a cancelled transaction, the cancellation ends, and the transaction is not treated as foreign', async () => {
  await steps.drop(true);
  const id = await cancellation();
  await steps.send(id);
  await steps.drop(false);
  await steps.sendBehindOurBack(bytesHex);
  const { id: payloadId } = await steps.payload(id);
  const payload = { orgId: steps.orgId, id: payloadId, transferId: id };
  expect(await endExpired(database.db, payload, { reason: 'not signed here', isForeign: true })).toBe('Ended');
  expect(await steps.row(id)).toMatchObject({ state: 'Failed', reason: expect.stringContaining('sent after all') });
  expect(await steps.claims()).toMatchObject([{ ...claimed(), state: 'Consumed' }]);
  expect(await database.db.read(steps.orgId).rows(FreezeEntity, '')).toEqual([]);
  expect(await nextIsReady()).toBe('Ready');
});

test('no cancellation is built after the nonce has advanced', async () => {
  await steps.sendBehindOurBack(bytesHex);
  const id = await cancellation();
  expect(await steps.prepare(id)).toBe('Failed');
  expect(await steps.claims()).toMatchObject([{ ...claimed(), transferId: null, state: 'Signing' }]);
});

function claimed() {
  const { value: _, ...rest } = claim;
  return rest;
}
