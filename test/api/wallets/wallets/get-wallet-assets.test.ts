import { networkOf } from '../../../../chains/networks';
import { newId } from '../../../../platform/ids';
import { faultAt, refusal, START_LIMIT_MS, startWalletApi, type WalletApi, type WalletBody } from '../../../support/wallet-api';

let wallets: WalletApi;
let wallet: WalletBody;
beforeAll(async () => {
  wallets = await startWalletApi();
  wallet = await wallets.createWallet();
}, START_LIMIT_MS);
afterAll(() => wallets?.close());

const get = (id: string, query = '', by = wallets.admin) => by.client.get(`/wallets/${id}/assets${query}`);
const native = (balance: string) => ({ kind: 'Native', symbol: 'ETH', decimals: 18, verified: true, balance });

test('200: the native balance in smallest units, and tokens of the record that the wallet holds', async () => {
  const context = { walletId: wallet.id, network: 'EthereumSepolia' };
  wallets.node.nativeUnits = 0n;
  expect((await get(wallet.id)).body).toEqual({ ...context, assets: [native('0')] });
  const contract = networkOf('EthereumSepolia').tokens[0]?.contract ?? '';
  wallets.node.nativeUnits = 123_456_789_012_345_678_901n;
  wallets.node.tokens.set(contract.toLowerCase(), { decimals: 6, symbol: 'USDC', balanceUnits: 5n });
  const assets = [
    native('123456789012345678901'),
    { kind: 'Erc20', contract, symbol: 'USDC', decimals: 6, verified: true, balance: '5' },
  ];
  expect((await get(wallet.id)).body).toEqual({ ...context, assets });
  expect((await get(wallet.id, '?netWorth=true')).body).toEqual({ ...context, assets });
});

test('400: netWorth is true or absent', async () => {
  expect(await get(wallet.id, '?netWorth=yes')).toMatchObject(refusal(400, 'InvalidRequest', faultAt('query.netWorth')));
});

test('404: unknown or of another organisation', async () => {
  expect(await get(newId('wallet'))).toMatchObject(refusal(404, 'NotFound'));
  expect(await get(wallet.id, '', wallets.stranger)).toMatchObject(refusal(404, 'NotFound'));
});

test('403: without Wallets:Read', async () => {
  const person = await wallets.api.createPerson(wallets.orgId, { operations: ['Wallets:Create'] });
  expect(await get(wallet.id, '', person)).toMatchObject(refusal(403, 'Forbidden'));
});

test('503: no node answers, and it works again when one does', async () => {
  wallets.node.isDown = true;
  expect(await get(wallet.id)).toMatchObject(refusal(503, 'NetworkUnavailable'));
  wallets.node.isDown = false;
  expect(await get(wallet.id)).toMatchObject({ status: 200 });
});
