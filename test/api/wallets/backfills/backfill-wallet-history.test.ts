import { newId } from '../../../../platform/ids';
import { faultAt, refusal, START_LIMIT_MS, startWalletApi, type WalletApi, type WalletBody } from '../../../support/wallet-api';

const LIVE_FROM = 2_000_000;
const BLOCKS_MAX = 1_000_000;
const RUNNING_MAX = 5;

let wallets: WalletApi;
beforeAll(async () => {
  wallets = await startWalletApi();
}, START_LIMIT_MS);
afterAll(() => wallets?.close());

const post = (id: string, body: object, by = wallets.admin) => by.client.change('POST', `/wallets/${id}/history/backfill`, body);
const note = (id: string, height: number | null) =>
  wallets.api.database.arrange('UPDATE watched_addresses SET live_from = $2 WHERE subject_id = $1', [id, height]);
const endAll = () =>
  wallets.api.database.arrange(
    `UPDATE backfills SET status = 'Done', date_done = now() WHERE status = 'Running' AND org_id = $1`,
    [wallets.orgId],
  );
async function liveWallet(height: number | null = LIVE_FROM): Promise<WalletBody> {
  const wallet = await wallets.createWallet();
  await note(wallet.id, height);
  return wallet;
}
afterEach(() => endAll());

test('200: the back-fill runs, and its workflow starts', async () => {
  const { id: walletId } = await liveWallet();
  const { body } = await post(walletId, { fromBlock: 1_500_000 });
  expect(body).toEqual({
    ...{ walletId, network: 'EthereumSepolia', liveFromBlock: LIVE_FROM },
    backfill: {
      ...{ id: expect.stringMatching(/^bf-/), status: 'Running', cause: 'Requested', fromBlock: 1_500_000 },
      ...{ blocks: 0, withoutRoot: 0, withoutTraces: 0, movements: 0, dateCreated: expect.stringMatching(/Z$/) },
    },
  });
  const { id } = (body as { backfill: { id: string } }).backfill;
  const starts = await wallets.api.database.db
    .read(wallets.orgId)
    .select('SELECT routing FROM outbox WHERE aggregate_id = $1', [id]);
  expect(starts).toEqual([{ routing: expect.objectContaining({ workflow: 'scanAddress', network: 'EthereumSepolia' }) }]);
});

test('200: a back-fill can begin at a date', async () => {
  const { id } = await liveWallet();
  const { body } = await post(id, { fromDate: '2026-01-01T01:00:00+01:00' });
  expect(body).toMatchObject({ backfill: { status: 'Running', fromDate: '2026-01-01T00:00:00.000Z' } });
});

test('400: a range that is empty, too long, in the future or given twice', async () => {
  const { id } = await liveWallet();
  const fault = refusal(400, 'InvalidRequest', faultAt('body.fromBlock'));
  expect(await post(id, { fromBlock: LIVE_FROM })).toMatchObject(fault);
  expect(await post(id, { fromBlock: LIVE_FROM - BLOCKS_MAX - 1 })).toMatchObject(fault);
  expect(await post(id, { fromBlock: -1 })).toMatchObject(fault);
  expect(await post(id, { fromBlock: 1.5 })).toMatchObject(fault);
  expect(await post(id, {})).toMatchObject(fault);
  expect(await post(id, { fromBlock: 1, fromDate: '2026-01-01T00:00:00Z' })).toMatchObject(fault);
  expect(await post(id, { fromDate: '2100-01-01T00:00:00Z' })).toMatchObject(
    refusal(400, 'InvalidRequest', faultAt('body.fromDate')),
  );
  expect(await post(id, { fromDate: 'yesterday' })).toMatchObject(refusal(400, 'InvalidRequest', faultAt('body.fromDate')));
  await note(id, 0);
  expect(await post(id, { fromDate: '2026-01-01T00:00:00Z' })).toMatchObject(fault);
  await note(id, LIVE_FROM);
  expect(await post(id, { fromBlock: LIVE_FROM - 1 })).toMatchObject({ status: 200 });
  await endAll();
  expect(await post(id, { fromBlock: LIVE_FROM - BLOCKS_MAX })).toMatchObject({ status: 200 });
});

test('400: a wallet that only signs, and a wallet on a network of the Bitcoin family', async () => {
  const signing = await wallets.createWallet({ network: 'KeyECDSA' });
  expect(await post(signing.id, { fromBlock: 1 })).toMatchObject(refusal(400, 'NetworkNotEnabled'));
  const { id } = await liveWallet();
  for (const table of ['wallets', 'watched_addresses'])
    await wallets.api.database.arrange(
      `UPDATE ${table} SET network = 'BitcoinSignet' WHERE ${table === 'wallets' ? 'id' : 'subject_id'} = $1`,
      [id],
    );
  expect(await post(id, { fromBlock: 1 })).toMatchObject(refusal(400, 'NetworkNotEnabled'));
});

test('403: without Wallets:Update', async () => {
  const { id } = await liveWallet();
  const person = await wallets.api.createPerson(wallets.orgId, { operations: ['Wallets:Read'] });
  expect(await post(id, { fromBlock: 1_999_000 }, person)).toMatchObject(refusal(403, 'Forbidden'));
});

test('404: a wallet that is unknown or belongs to another organisation', async () => {
  const { id } = await liveWallet();
  expect(await post(newId('wallet'), { fromBlock: 1 })).toMatchObject(refusal(404, 'NotFound'));
  expect(await post(id, { fromBlock: 1 }, wallets.stranger)).toMatchObject(refusal(404, 'NotFound'));
});

test('409: a wallet for which no block has been read yet, a second back-fill of a wallet, a sixth back-fill of the organisation', async () => {
  const { id } = await liveWallet(null);
  expect(await post(id, { fromBlock: 1 })).toMatchObject(refusal(409, 'WrongState'));
  await note(id, LIVE_FROM);
  const body = { fromBlock: LIVE_FROM - 1 };
  expect(await post(id, body)).toMatchObject({ status: 200 });
  expect(await post(id, body)).toMatchObject(refusal(409, 'Conflict'));
  for (let running = 1; running < RUNNING_MAX; running += 1)
    expect(await post((await liveWallet()).id, body)).toMatchObject({ status: 200 });
  const sixth = await liveWallet();
  expect(await post(sixth.id, body)).toMatchObject(refusal(409, 'Conflict'));
  await endAll();
  expect(await post(sixth.id, body)).toMatchObject({ status: 200 });
});
