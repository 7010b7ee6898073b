import { newId } from '../../../../platform/ids';
import { startTransferApi, type TransferApi, type TransferBody } from '../../../support/transfer-api';
import { refusal, START_LIMIT_MS } from '../../../support/wallet-api';

let transfers: TransferApi;
let transfer: TransferBody;
beforeAll(async () => {
  transfers = await startTransferApi();
  transfer = await transfers.request();
}, START_LIMIT_MS);
afterAll(() => transfers?.close());

const path = (id = transfer.id, walletId = transfers.wallet.id) => `/wallets/${walletId}/transfers/${id}`;

test('200: the transfer is the same as in the answer to its request', async () => {
  expect(await transfers.admin.client.get(path())).toMatchObject({ status: 200, body: transfer });
});

test('404: a text that is not an id, and a transfer that is unknown, belongs to another wallet or organisation, or is not the end user’s own', async () => {
  const { client } = transfers.admin;
  const other = await transfers.createWallet();
  const endUser = await transfers.api.createPerson(transfers.orgId, { kind: 'EndUser' });
  expect(await client.get(path(newId('transfer')))).toMatchObject(refusal(404, 'NotFound'));
  expect(await client.get(path(transfer.id, other.id))).toMatchObject(refusal(404, 'NotFound'));
  expect(await transfers.stranger.client.get(path())).toMatchObject(refusal(404, 'NotFound'));
  expect(await endUser.client.get(path())).toMatchObject(refusal(404, 'NotFound'));
  expect(await client.get(path(encodeURIComponent("xfr-' OR 1=1 --")))).toMatchObject(refusal(404, 'NotFound'));
});

test('403: without Wallets:Transfers:Read', async () => {
  const person = await transfers.api.createPerson(transfers.orgId, { operations: ['Wallets:Read'] });
  expect(await person.client.get(path())).toMatchObject(refusal(403, 'Forbidden'));
});
