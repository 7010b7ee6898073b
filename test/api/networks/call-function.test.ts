import { faultAt, refusal, START_LIMIT_MS, startWalletApi, type WalletApi } from '../../support/wallet-api';

let wallets: WalletApi;
beforeAll(async () => {
  wallets = await startWalletApi();
  wallets.node.tokens.set(TOKEN.toLowerCase(), { decimals: 6, symbol: 'TST', balanceUnits: 2n ** 200n });
}, START_LIMIT_MS);
afterAll(() => wallets?.close());

const TOKEN = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const account = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const abi = {
  type: 'function',
  name: 'balanceOf',
  stateMutability: 'view',
  inputs: [{ name: 'account', type: 'address', internalType: 'address' }],
  outputs: [{ name: '', type: 'uint256', internalType: 'uint256' }],
};
const body = { contract: TOKEN, abi, calldata: { account } };
const ask = (change: object = {}, network = 'EthereumSepolia') =>
  wallets.admin.client.post(`/networks/${network}/call-function`, { ...body, ...change });

test('200: the answer is the result of the contract in any size; neither a user action nor a permission is needed', async () => {
  expect(await ask()).toMatchObject({ status: 200, body: (2n ** 200n).toString() });
  const person = await wallets.api.createPerson(wallets.orgId, { operations: [] });
  expect(await person.client.post('/networks/EthereumSepolia/call-function', body)).toMatchObject({ status: 200 });
});

test('200: the list of arguments may be left out for a function without parameters', async () => {
  const decimals = { ...abi, name: 'decimals', inputs: [], outputs: [{ name: '', type: 'uint8' }] };
  expect(await ask({ abi: decimals, calldata: undefined })).toMatchObject({ status: 200, body: '6' });
});

test.each<[string, object, string]>([
  ['an address without a contract', { contract: account }, 'body.contract'],
  ['a wrong checksum', { contract: TOKEN.replace('b', 'B') }, 'body.contract'],
  ['an address of another network', { contract: 'bc1q0xcqpzrky6eff2g52qdye53xkk9jxkvrh6yhyw' }, 'body.contract'],
  ['an event in place of a function', { abi: { ...abi, type: 'event' } }, 'body.abi.type'],
  ['an invalid type', { abi: { ...abi, outputs: [{ name: '', type: 'uint' }] } }, 'body.abi.outputs.0.type'],
  ['more arguments than parameters', { calldata: { account, amount: 1 } }, 'body.calldata.amount'],
  [
    'an output type that does not fit the answer of the contract',
    { abi: { ...abi, outputs: [{ name: '', type: 'string' }] } },
    'body.abi.outputs',
  ],
  ['an unknown member', { data: '0x' }, 'body.data'],
])('400: for %s, the error contains the path', async (_what, change, path) => {
  expect(await ask(change)).toMatchObject({ status: 400, body: { error: { details: faultAt(path) } } });
});

test.each([
  [3, 'execution reverted: paused'],
  [-32_603, 'EVM error InvalidFEOpcode'],
  [-32_000, 'VM execution error.'],
])('400: the contract reverts with error code %d, and the answer has the reason', async (code, reason) => {
  Object.assign(wallets.node, { revertsWith: reason, revertCode: code });
  const answer = await ask();
  wallets.node.revertsWith = undefined;
  expect(answer).toMatchObject(refusal(400, 'CallReverted', { network: 'EthereumSepolia', reason }));
});

test('503: the only node returns an internal error with an unknown text, which is not treated as a revert', async () => {
  Object.assign(wallets.node, { revertsWith: 'something new', revertCode: -32_603 });
  const answer = await ask();
  wallets.node.revertsWith = undefined;
  expect(answer).toMatchObject({ status: 503, body: { error: { id: 'NetworkUnavailable' } } });
});

test.each(['Ethereum', 'Solana', 'BaseSepolia', 'PolygonMumbai', 'Algorand', 'Tsc', 'KeyECDSA', 'Nowhere'])(
  '400: %s is not enabled',
  async (network) => {
    expect(await ask({}, network)).toMatchObject(refusal(400, 'NetworkNotEnabled', faultAt('params.network')));
  },
);

test('401: without a token', async () => {
  const answer = await fetch(`${wallets.api.url}/networks/EthereumSepolia/call-function`, { method: 'POST', body: '{}' });
  expect(answer.status).toBe(401);
});

test('503: no node answers', async () => {
  wallets.node.isDown = true;
  const answer = await ask();
  wallets.node.isDown = false;
  expect(answer).toMatchObject(refusal(503, 'NetworkUnavailable'));
});
