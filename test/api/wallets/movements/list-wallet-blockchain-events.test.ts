import type { NewMovement } from '../../../../entities/movements/movement.store';
import { newId } from '../../../../platform/ids';
import { TOKEN, tokenPayment } from '../../../support/address-watch-api';
import { refusal, START_LIMIT_MS, startWalletApi, type WalletApi, type WalletBody } from '../../../support/wallet-api';
import { APPROVAL, writeContractEvents } from '../../../support/written-contract-events';
import { writeMovements } from '../../../support/written-movements';

let wallets: WalletApi;
let wallet: WalletBody;
let token: NewMovement;
beforeAll(async () => {
  wallets = await startWalletApi();
  wallet = await wallets.createWallet();
  [, token] = (await writeMovements(wallets.api.database.db, wallets.orgId, [
    { subjectId: wallet.id },
    tokenPayment(wallet.id),
  ])) as [NewMovement, NewMovement];
}, START_LIMIT_MS);
afterAll(() => wallets?.close());

const list = (query = '', id = wallet.id, by = wallets.admin) => by.client.get(`/wallets/${id}/blockchain-events${query}`);

test('200: each event has the members of the record and the id of the wallet, and the filters and pages work', async () => {
  const item = {
    ...{
      id: token.id,
      walletId: wallet.id,
      network: 'EthereumSepolia',
      name: 'Transfer',
      blockNumber: 1001,
      txHash: token.txHash,
    },
    ...{ index: '41', status: 'Included', timestamp: '2026-03-01T01:00:00.000Z' },
    data: {
      ...{ kind: 'Erc20Transfer', direction: 'In', contract: TOKEN, from: token.fromAddress, to: token.toAddress, value: '9' },
      metadata: { asset: { symbol: 'TOK', decimals: 2, verified: false } },
    },
  };
  const holder = { walletId: wallet.id, network: 'EthereumSepolia' };
  expect((await list('?name=Transfer')).body).toEqual({ ...holder, items: [item] });
  const { nextPageToken } = (await list('?limit=1')).body as { nextPageToken: string };
  expect((await list(`?paginationToken=${nextPageToken}`)).body).toMatchObject({ items: [{ name: 'NativeTransfer' }] });
});

test('200: other events have the same members, and are not in the history of the wallet', async () => {
  const [event] = await writeContractEvents(wallets.api.database.db, wallets.orgId, [
    { subjectId: wallet.id, blockHeight: '1000' },
  ]);
  expect((await list('?name=Approval')).body).toMatchObject({
    items: [{ id: event?.id, walletId: wallet.id, index: '7', data: APPROVAL }],
  });
  expect(((await list()).body as { items: unknown[] }).items).toHaveLength(3);
  const history = (await wallets.admin.client.get(`/wallets/${wallet.id}/history`)).body as { items: unknown[] };
  expect(history.items).toHaveLength(2);
});

test('400: a page token from another list, and a wallet that only signs', async () => {
  const signing = await wallets.createWallet({ network: 'KeyECDSA' });
  expect(await list('?paginationToken=nonsense')).toMatchObject(refusal(400, 'InvalidPaginationToken'));
  expect(await list('', signing.id)).toMatchObject(refusal(400, 'NetworkNotEnabled'));
});

test('404: a wallet that is unknown, belongs to another organisation, or is not delegated to the end user', async () => {
  const endUser = await wallets.api.createPerson(wallets.orgId, { kind: 'EndUser', operations: ['Wallets:Read'] });
  expect(await list('', newId('wallet'))).toMatchObject(refusal(404, 'NotFound'));
  expect(await list('', wallet.id, wallets.stranger)).toMatchObject(refusal(404, 'NotFound'));
  expect(await list('', wallet.id, endUser)).toMatchObject(refusal(404, 'NotFound'));
});

test('403: without Wallets:Read', async () => {
  const person = await wallets.api.createPerson(wallets.orgId, { operations: ['Wallets:Create'] });
  expect(await list('', wallet.id, person)).toMatchObject(refusal(403, 'Forbidden'));
});
