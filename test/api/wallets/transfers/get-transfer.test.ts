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

test('200: the answer is the transfer as the request for it returned it', async () => {
  expect(await transfers.admin.client.get(path())).toMatchObject({ status: 200, body: transfer });
});

test('404: the transfer is unknown or belongs to another wallet, another organisation or not to the calling end user; not an id', async () => {
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
