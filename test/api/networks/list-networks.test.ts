import { CHAIN_NETWORK_NAMES } from '../../../domain/networks';
import { START_LIMIT_MS, startWalletApi, type WalletApi } from '../../support/wallet-api';

let wallets: WalletApi;
beforeAll(async () => {
  wallets = await startWalletApi();
}, START_LIMIT_MS);
afterAll(() => wallets?.close());

test('200: any caller gets every network of the interface once, with its capabilities', async () => {
  const person = await wallets.api.createPerson(wallets.orgId, { operations: ['Wallets:Create'] });
  const { status, body } = await person.client.get('/networks');
  expect(status).toBe(200);
  const { items } = body as { items: readonly { name: string }[] };
  expect(items.map(({ name }) => name).sort()).toEqual([...CHAIN_NETWORK_NAMES].sort());
  const named = (name: string) => items.find((one) => one.name === name);
  expect(named('EthereumSepolia')).toEqual({
    name: 'EthereumSepolia',
    family: 'evm',
    scheme: 'ECDSA',
    curve: 'secp256k1',
    nativeAsset: { symbol: 'ETH', decimals: 18 },
    slip44: 1,
    chainId: '11155111',
    explorerTxUrl: expect.stringContaining('{txHash}'),
    isMainnet: false,
    standing: 'Live',
    tier: 1,
    tierHas: ['Balance', 'Transfers', 'Fees', 'Tokens', 'ContractReads', 'IncomingPayments'],
    isServed: true,
    isEnabled: true,
    finality: { confirmations: 3 },
    capabilities: {
      transferKinds: ['Native', 'Erc20', 'Erc721', 'Erc7984'],
      options: [],
      fees: 'Eip1559',
      cancel: true,
      speedUp: true,
    },
  });
  expect(named('TempoModerato')).toMatchObject({ isEnabled: false, capabilities: { transferKinds: ['Erc20', 'Erc721'] } });
  expect(named('BitcoinSignet')).toMatchObject({
    family: 'utxo',
    capabilities: { transferKinds: ['Native'], cancel: true, speedUp: true },
  });
  expect(named('SolanaDevnet')).toMatchObject({
    capabilities: { cancel: true, speedUp: true, replacementNeeds: 'useDurableNonce' },
  });
  expect(named('Algorand')).toMatchObject({
    ...{ isServed: false, isEnabled: false },
    ...{ tier: 2, tierHas: ['Balance', 'Transfers', 'Fees'] },
  });
  expect(named('Canton')).toMatchObject({ tier: 3, tierHas: [] });
  expect(named('Algorand')).not.toHaveProperty('capabilities');
});

test('401: without a token', async () => {
  expect((await fetch(`${wallets.api.url}/networks`)).status).toBe(401);
});
