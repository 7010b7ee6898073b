import { newId } from '../../../../platform/ids';
import { RECIPIENT, startTransferApi, type TransferApi, type TransferBody } from '../../../support/transfer-api';
import { refusal, START_LIMIT_MS } from '../../../support/wallet-api';

let transfers: TransferApi;
let transaction: TransferBody;
beforeAll(async () => {
  transfers = await startTransferApi();
  transaction = (await transfers.broadcast({ kind: 'Evm', to: RECIPIENT, value: '5' })).body as TransferBody;
}, START_LIMIT_MS);
afterAll(() => transfers?.close());

const path = (id = transaction.id, walletId = transfers.wallet.id) => `/wallets/${walletId}/transactions/${id}/explain`;

test('200: the answer has the stage of the transaction', async () => {
  expect(await transfers.admin.client.get(path())).toMatchObject({
    status: 200,
    body: { subject: { kind: 'Transaction', id: transaction.id }, summary: expect.stringMatching(/^The transaction /) },
  });
});

test('401: without a token', async () => {
  expect((await fetch(`${transfers.api.url}${path()}`)).status).toBe(401);
});

test('404: a transfer, and a transaction that is unknown, belongs to another wallet or organisation, or is not the end user’s own', async () => {
  const { client } = transfers.admin;
  const other = await transfers.createWallet();
  const endUser = await transfers.api.createPerson(transfers.orgId, { kind: 'EndUser' });
  expect(await client.get(path(newId('transaction')))).toMatchObject(refusal(404, 'NotFound'));
  expect(await client.get(path((await transfers.request()).id))).toMatchObject(refusal(404, 'NotFound'));
  expect(await client.get(`/wallets/${transfers.wallet.id}/transfers/${transaction.id}/explain`)).toMatchObject(
    refusal(404, 'NotFound'),
  );
  expect(await client.get(path(transaction.id, other.id))).toMatchObject(refusal(404, 'NotFound'));
  expect(await transfers.stranger.client.get(path())).toMatchObject(refusal(404, 'NotFound'));
  expect(await endUser.client.get(path())).toMatchObject(refusal(404, 'NotFound'));
});

test('403: without Wallets:Transactions:Read', async () => {
  const person = await transfers.api.createPerson(transfers.orgId, { operations: ['Wallets:Transfers:Read'] });
  expect(await person.client.get(path())).toMatchObject(refusal(403, 'Forbidden'));
});
