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

const path = (id = transfer.id, walletId = transfers.wallet.id) => `/wallets/${walletId}/transfers/${id}/evidence`;

test('200: the answer has the content, the request with its exact text, and the waiting approval', async () => {
  const { admin, orgId, wallet } = transfers;
  const { status, body } = await admin.client.get(path());
  expect(status).toBe(200);
  expect(body).toMatchObject({
    ...{ organizationId: orgId, walletId: wallet.id, transferId: transfer.id, status: 'Pending', txHash: null },
    content: { network: 'EthereumSepolia', from: wallet.address, amountUnits: '1000' },
    evidence: [
      {
        kind: 'Initiator',
        userId: admin.userId,
        path: `/wallets/${wallet.id}/transfers`,
        body: expect.stringContaining('"1000"'),
      },
      { kind: 'Approval', approvalId: transfer.approvalId },
    ],
  });
});

test('404: a transfer that is unknown or belongs to another wallet or organisation', async () => {
  const { client } = transfers.admin;
  const other = await transfers.createWallet();
  expect(await client.get(path(newId('transfer')))).toMatchObject(refusal(404, 'NotFound'));
  expect(await client.get(path(transfer.id, other.id))).toMatchObject(refusal(404, 'NotFound'));
  expect(await transfers.stranger.client.get(path())).toMatchObject(refusal(404, 'NotFound'));
});

test.each(['Auth:Logs:Read', 'Wallets:Transfers:Read'])('403: with only %s', async (operation) => {
  const person = await transfers.api.createPerson(transfers.orgId, { operations: [operation] });
  expect(await person.client.get(path())).toMatchObject(refusal(403, 'Forbidden'));
});
