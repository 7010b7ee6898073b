import type { SignatureState } from '../../../../domain/signatures';
import { laneStore } from '../../../../entities/outgoing/lane.store';
import { OutgoingEntity } from '../../../../entities/outgoing/outgoing.entity';
import { outgoingStore } from '../../../../entities/outgoing/outgoing.store';
import { SignatureEntity } from '../../../../entities/signatures/signature.entity';
import { newId } from '../../../../platform/ids';
import vectors from '../../../chains/solana/vectors.json';
import { type SignatureApi, type SignatureBody, startSignatureApi } from '../../../support/signature-api';
import type { TransferBody } from '../../../support/transfer-api';
import { refusal, START_LIMIT_MS } from '../../../support/wallet-api';

const network = 'SolanaDevnet';
const { sender: address, nonceAccount, blockhash } = vectors;
let api: SignatureApi;
let first: SignatureBody;
let nonces = 0;
beforeAll(async () => {
  api = await startSignatureApi();
  first = await api.request({}, `/wallets/${api.wallet.id}/signatures`);
  // The policy holds all later requests, so that no workflow carries them out during these tests.
  await api.addPolicy({ filters: { walletId: { in: [api.wallet.id] } } });
  await api.api.database.arrange('UPDATE wallets SET network = $2, address = $3 WHERE id = $1', [
    api.wallet.id,
    network,
    address,
  ]);
}, START_LIMIT_MS);
afterAll(() => api?.close());

/** Inserts a signature in this state with a claimed durable nonce, as the steps of its workflow would leave it. */
async function signed(state: SignatureState = 'Signed', set: Partial<SignatureEntity> = {}): Promise<string> {
  const { db } = api.api.database;
  const row = await db.read(api.orgId).row(SignatureEntity, 'WHERE t.id = $1', [first.id]);
  const { keyId, walletId, requesterUserId, requestBody } = row ?? new SignatureEntity();
  const id = newId('signature');
  const bytesHex = vectors.transactions['durable nonce'].messageHex;
  await db.withOrg(api.orgId, async (tx) => {
    await tx.insert(SignatureEntity, {
      ...{
        orgId: api.orgId,
        id,
        keyId,
        walletId,
        network,
        kind: 'Transaction',
        requesterUserId,
        userActionId: newId('userAction'),
        requestBody,
      },
      ...{
        requestDigest: id,
        payload: { kind: 'SolanaTransaction', network, bytesHex },
        claimNetwork: network,
        fromAddress: address,
        state,
        ...set,
      },
    });
    nonces += 1;
    const key = `${nonceAccount}:${nonces}${blockhash}`;
    await laneStore.claimForSignature(tx, network, id, [{ kind: 'durable-nonce', key, lane: address, value: null }]);
  });
  return id;
}
const path = (id: string, walletId = api.wallet.id) => `/wallets/${walletId}/signatures/${id}/cancel`;
const cancel = (id: string, client = api.admin.client) => client.change('POST', path(id));
const rowOf = (id: string) => outgoingStore.find(api.api.database.db.read(api.orgId), id);

test('200: a transfer of nothing to its own sender cancels the signature, and the two records refer to each other', async () => {
  const id = await signed();
  const answer = await cancel(id);
  expect(answer).toMatchObject({
    status: 200,
    body: { requestBody: { kind: 'CancelTransaction' }, details: { cancelsSignature: id } },
  });
  const { id: noneId } = answer.body as TransferBody;
  expect(await rowOf(noneId)).toMatchObject({
    ...{ cancelsSignatureId: id, replacesId: null, claimsOf: null, amountUnits: '0', fromAddress: address, toAddress: address },
  });
  expect(await api.admin.client.get(`/wallets/${api.wallet.id}/signatures/${id}`)).toMatchObject({
    body: { status: 'Signed', details: { cancelledBy: noneId } },
  });
  const again = await cancel(id);
  expect(again).toMatchObject(refusal(409, 'WrongState'));
  expect(again.body).toMatchObject({ error: { details: { status: 'Signed', replacementId: noneId } } });
  await api.api.database.db.withOrg(api.orgId, (tx) => tx.update(OutgoingEntity, { id: noneId }, { state: 'Failed' }));
  expect(await cancel(id)).toMatchObject({ status: 200 });
});

test('200: a signature that was requested through the key of the wallet can be cancelled too', async () => {
  const id = await signed('Signed', { walletId: null });
  expect(await cancel(id)).toMatchObject({ status: 200, body: { details: { cancelsSignature: id } } });
});

test('409: the wallet has the same key and address but is on another network', async () => {
  const answer = await cancel(await signed('Signed', { walletId: null, claimNetwork: 'Solana' }));
  expect(answer).toMatchObject(refusal(409, 'WrongState'));
  expect(answer.body).toMatchObject({ error: { message: expect.stringContaining('no nonce or coins of the wallet') } });
});

test.each(['AwaitingApproval', 'Signing', 'Failed'] as const)('409: a signature in state %s', async (state) => {
  expect(await cancel(await signed(state))).toMatchObject(refusal(409, 'WrongState'));
});

test('409: the signature has not claimed a nonce or coins, so there is nothing to cancel', async () => {
  const answer = await cancel(first.id);
  expect(answer).toMatchObject(refusal(409, 'WrongState'));
  expect(answer.body).toMatchObject({ error: { message: expect.stringContaining('no nonce or coins of the wallet') } });
});

test('400: a body that is not empty', async () => {
  expect(await api.admin.client.change('POST', path(first.id), { priority: 'Fast' })).toMatchObject(
    refusal(400, 'InvalidRequest'),
  );
});

test.each(['Keys:Signatures:Read', 'Wallets:Transactions:Create'])('403: with only %s', async (operation) => {
  const person = await api.api.createPerson(api.orgId, { operations: [operation] });
  expect(await cancel(first.id, person.client)).toMatchObject(refusal(403, 'Forbidden'));
});

test('404: the signature is unknown or belongs to another wallet or organisation', async () => {
  const other = await api.createWallet();
  expect(await cancel(newId('signature'))).toMatchObject(refusal(404, 'NotFound'));
  expect(await api.admin.client.change('POST', path(first.id, other.id))).toMatchObject(refusal(404, 'NotFound'));
  expect(await cancel(first.id, api.stranger.client)).toMatchObject(refusal(404, 'NotFound'));
});
