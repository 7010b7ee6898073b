import { newId } from '../../../../platform/ids';
import { refusal, START_LIMIT_MS, startWalletApi, type WalletApi } from '../../../support/wallet-api';

let wallets: WalletApi;
beforeAll(async () => {
  wallets = await startWalletApi();
}, START_LIMIT_MS);
afterAll(() => wallets?.close());

const get = (id: string, by = wallets.admin) => by.client.get(`/wallets/${id}/history/backfill`);
const arrange = (sql: string, values: readonly unknown[]) => wallets.api.database.arrange(sql, values);

test('200: the answer is empty at first, later has the block from which the history is complete, then the progress of the back-fill', async () => {
  const { id: walletId } = await wallets.createWallet();
  const subject = { walletId, network: 'EthereumSepolia' };
  expect((await get(walletId)).body).toEqual(subject);
  await arrange('UPDATE watched_addresses SET live_from = 900 WHERE subject_id = $1', [walletId]);
  expect((await get(walletId)).body).toEqual({ ...subject, liveFromBlock: 900 });

  await wallets.admin.client.change('POST', `/wallets/${walletId}/history/backfill`, { fromBlock: 100 });
  await arrange(
    `UPDATE backfills SET status = 'Gap', top = 900, next_height = 499, next_hash = '0x1', found = 3, blocks = 400, unproved = 1,
       untraced = 2, reason = 'no node has block 499', date_done = clock_timestamp() WHERE subject_id = $1`,
    [walletId],
  );
  await arrange('UPDATE watched_addresses SET live_from = 500 WHERE subject_id = $1', [walletId]);
  expect((await get(walletId)).body).toEqual({
    ...{ ...subject, liveFromBlock: 500 },
    backfill: {
      ...{ id: expect.stringMatching(/^bf-/), status: 'Gap', cause: 'Requested', fromBlock: 100, nextBlock: 499 },
      ...{ blocks: 400, withoutRoot: 1, withoutTraces: 2, movements: 3, reason: 'no node has block 499' },
      ...{ dateCreated: expect.stringMatching(/Z$/), dateDone: expect.stringMatching(/Z$/) },
    },
  });
  await arrange('UPDATE backfills SET next_height = -1 WHERE subject_id = $1', [walletId]);
  expect((await get(walletId)).body).not.toHaveProperty('backfill.nextBlock');
});

test('400: a wallet that only signs', async () => {
  const signing = await wallets.createWallet({ network: 'KeyECDSA' });
  expect(await get(signing.id)).toMatchObject(refusal(400, 'NetworkNotEnabled'));
});

test('403: without Wallets:Read', async () => {
  const { id } = await wallets.createWallet();
  const person = await wallets.api.createPerson(wallets.orgId, { operations: ['Wallets:Update'] });
  expect(await get(id, person)).toMatchObject(refusal(403, 'Forbidden'));
});

test('404: a wallet that is unknown or belongs to another organisation', async () => {
  const { id } = await wallets.createWallet();
  expect(await get(newId('wallet'))).toMatchObject(refusal(404, 'NotFound'));
  expect(await get(id, wallets.stranger)).toMatchObject(refusal(404, 'NotFound'));
});
