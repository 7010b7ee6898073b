import { faultAt, refusal, START_LIMIT_MS, startWalletApi, type WalletApi } from '../../support/wallet-api';

let wallets: WalletApi;
beforeAll(async () => {
  wallets = await startWalletApi();
}, START_LIMIT_MS);
afterAll(() => wallets?.close());

const get = (network: string) => wallets.admin.client.get(`/networks/fees?network=${network}`);

test('200: the answer has the base fee of the next block and a tip for each priority, all as text with digits', async () => {
  const tier = (tip: number) => ({ maxPriorityFeePerGas: `${tip}`, maxFeePerGas: `${2 * 2_000_000_000 + tip}` });
  expect(await get('EthereumSepolia')).toMatchObject({
    status: 200,
    body: {
      kind: 'Eip1559',
      network: 'EthereumSepolia',
      blockNumber: 9,
      baseFeePerGas: '2000000000',
      slow: tier(50_000_000),
      standard: tier(100_000_000),
      fast: tier(2_000_000_000),
    },
  });
});

test('200: the caller does not need a permission', async () => {
  const person = await wallets.api.createPerson(wallets.orgId, { operations: ['Wallets:Create'] });
  expect(await person.client.get('/networks/fees?network=EthereumSepolia')).toMatchObject({ status: 200 });
});

test('400: the network is not enabled or is unknown', async () => {
  for (const network of ['Ethereum', 'SolanaDevnet', 'PolygonMumbai', 'Algorand', 'Tsc', 'KeyEdDSA', 'Nowhere']) {
    expect(await get(network)).toMatchObject(refusal(400, 'NetworkNotEnabled', faultAt('query.network')));
  }
  expect(await wallets.admin.client.get('/networks/fees')).toMatchObject(
    refusal(400, 'InvalidRequest', faultAt('query.network')),
  );
});

test('401: without a token', async () => {
  const response = await fetch(`${wallets.api.url}/networks/fees?network=EthereumSepolia`);
  expect(response.status).toBe(401);
});

test('503: no node answers', async () => {
  wallets.node.isDown = true;
  expect(await get('EthereumSepolia')).toMatchObject(refusal(503, 'NetworkUnavailable'));
  wallets.node.isDown = false;
});
