import { asSuperuser } from '../../support/roles';
import { refusal, START_LIMIT_MS, startWalletApi, type WalletApi } from '../../support/wallet-api';

let wallets: WalletApi;
beforeAll(async () => {
  wallets = await startWalletApi();
}, START_LIMIT_MS);
afterAll(() => wallets?.close());

const get = (network: string) => wallets.admin.client.get(`/networks/${network}/scan`);
const write = (sql: string) => asSuperuser((client) => client.query(sql), wallets.api.database.name);
const NETWORK = 'BaseSepolia';

test('200: a network without a wallet has no progress yet, and for a network that is not read the answer has the reason', async () => {
  expect((await get(NETWORK)).body).toEqual({ network: NETWORK, isRead: true });
  expect((await get('BitcoinSignet')).body).toEqual({ network: 'BitcoinSignet', isRead: true });
  for (const network of ['ArcTestnet', 'Tempo', 'TempoModerato', 'Celo'])
    expect((await get(network)).body).toEqual({ network, isRead: true });
  expect((await get('RaceSepolia')).body).toMatchObject({ isRead: false, whyNot: expect.stringContaining('switched off') });
});

test('200: the progress and the proofs; a height without a block is not a gap, but a block that was left out is a gap', async () => {
  await write(
    `INSERT INTO scans (network, first_height, folded_height, folded_hash, folded_blocks, folded_heights, folded_unproved, folded_untraced,
       confirmed_height, head_height) VALUES ('${NETWORK}', 11, 20, '0x14', 9, 10, 2, 3, 19, 30)`,
  );
  await write(
    `INSERT INTO chain_blocks (network, height, hash, parent_hash, parent_height, date_mined, proof, sight, matched, state) VALUES
       ('${NETWORK}', 21, '0x15', '0x14', 20, now(), 'Root', 'Traces', 0, 'Read'),
       ('${NETWORK}', 23, '0x17', '0x15', 21, now(), 'OneNode', 'Transactions', 1, 'Read'),
       ('${NETWORK}', 24, '0x18', '0x17', 23, now(), 'Root', 'Traces', 0, 'Reading')`,
  );
  const scan = {
    ...{
      firstBlock: 11,
      scannedTo: { height: 23, hash: '0x17' },
      confirmedTo: 19,
      headBlock: 30,
      behindBlocks: 7,
      lastProof: 'OneNode',
    },
    ...{ blocks: 11, withoutRoot: 3, withoutTraces: 4, isComplete: true },
    balances: { areCompared: true, differences: 0 },
  };
  expect((await get(NETWORK)).body).toEqual({ network: NETWORK, isRead: true, scan });
  await write(`UPDATE scans SET swept_height = 19, unexplained = 2 WHERE network = '${NETWORK}'`);
  expect((await get(NETWORK)).body).toMatchObject({ scan: { balances: { areCompared: true, comparedTo: 19, differences: 2 } } });
  await write(`UPDATE scans SET head_height = 22 WHERE network = '${NETWORK}'`);
  expect((await get(NETWORK)).body).toMatchObject({ scan: { headBlock: 22, behindBlocks: 0 } });
  await write(`UPDATE scans SET folded_heights = 9 WHERE network = '${NETWORK}'`);
  expect((await get(NETWORK)).body).toMatchObject({ scan: { isComplete: false } });
  await write(`UPDATE scans SET folded_heights = 10 WHERE network = '${NETWORK}'`);
  await write(`UPDATE chain_blocks SET parent_hash = '0x99' WHERE network = '${NETWORK}' AND height = 23`);
  expect((await get(NETWORK)).body).toMatchObject({ scan: { isComplete: false } });
  await write(`DELETE FROM chain_blocks WHERE network = '${NETWORK}'; DELETE FROM scans WHERE network = '${NETWORK}'`);
});

test('404: a name without a record', async () => {
  expect(await get('Nowhere')).toMatchObject(refusal(404, 'NotFound'));
});

test('401: without a token', async () => {
  expect((await fetch(`${wallets.api.url}/networks/${NETWORK}/scan`)).status).toBe(401);
});
