import { readFeeTerms } from '../../../chains/evm/fees';
import { ETHEREUM } from '../../../chains/evm/networks/ethereum';
import type { EvmNetwork } from '../../../chains/evm/types';
import { createRpc } from '../../../chains/rpc/rpc';
import type { TransferIntent } from '../../../chains/types';
import { byMethod, refusal, result, startFakeNode } from '../rpc/fake-node';
import { TOKEN } from './intents';

const ethereumSepolia = ETHEREUM.EthereumSepolia;

const GWEI = 1_000_000_000n;
const hex = (value: bigint) => `0x${value.toString(16)}`;
const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const native: TransferIntent = {
  network: 'EthereumSepolia',
  from: ADDRESS,
  to: ADDRESS,
  amountUnits: 1_000n,
  asset: { kind: 'Native' },
};
const token: TransferIntent = { ...native, asset: { kind: 'Erc20', contract: TOKEN } };

let node: Awaited<ReturnType<typeof startFakeNode>>;
beforeAll(async () => {
  node = await startFakeNode(result('0x1'));
});
afterAll(() => node.stop());

const rewards = [
  [1n, 2n, 9n],
  [1n, 4n, 9n],
  [1n, 3n, 9n],
].map((row) => row.map((tip) => hex(tip * GWEI)));

function behave(gas: bigint, balance: bigint, reward: string[][] | undefined = rewards) {
  node.behave(
    byMethod({
      eth_estimateGas: result(hex(gas)),
      eth_getBalance: result(hex(balance)),
      eth_feeHistory: result({ oldestBlock: '0x9', baseFeePerGas: [hex(GWEI), hex(2n * GWEI)], reward }),
    }),
  );
}

type Priority = 'Slow' | 'Standard' | 'Fast';
const terms = (intent: TransferIntent, priority: Priority = 'Standard', network: EvmNetwork = ethereumSepolia) =>
  readFeeTerms(createRpc('EthereumSepolia', [node.url]), network, intent, priority);

test('a plain transfer gets 21000 gas, and a maximum fee of twice the next base fee plus the median tip', async () => {
  behave(21_000n, 10n ** 18n);
  expect(await terms(native)).toEqual({ gas: 21_000n, maxFeePerGas: 7n * GWEI, maxPriorityFeePerGas: 3n * GWEI });
});

test('the tip follows the priority', async () => {
  behave(21_000n, 10n ** 18n);
  expect((await terms(native, 'Slow')).maxPriorityFeePerGas).toBe(GWEI);
  expect((await terms(native, 'Fast')).maxPriorityFeePerGas).toBe(9n * GWEI);
});

test('a contract call gets a quarter more gas than was estimated', async () => {
  behave(40_000n, 10n ** 18n);
  expect((await terms(token)).gas).toBe(50_000n);
});

test('empty blocks do not make the tip zero', async () => {
  behave(21_000n, 10n ** 18n, [['0x0', '0x0', '0x0']]);
  expect((await terms(native)).maxPriorityFeePerGas).toBe(100_000_000n);
});

test('a balance that exactly covers the amount and the maximum fee is enough, and one unit less is not', async () => {
  const needed = 1_000n + 21_000n * 7n * GWEI;
  behave(21_000n, needed);
  await expect(terms(native)).resolves.toBeDefined();
  behave(21_000n, needed - 1n);
  await expect(terms(native)).rejects.toMatchObject({ code: 'TransferWouldFail', details: { neededUnits: String(needed) } });
});

test('the native balance must cover the fee of a token transfer, but not the amount', async () => {
  behave(40_000n, 50_000n * 7n * GWEI);
  await expect(terms({ ...token, amountUnits: 10n ** 30n })).resolves.toBeDefined();
  behave(40_000n, 50_000n * 7n * GWEI - 1n);
  await expect(terms(token)).rejects.toMatchObject({ code: 'TransferWouldFail' });
});

test('a transfer that would revert is reported before it is signed', async () => {
  node.behave(
    byMethod({
      eth_estimateGas: refusal(3, 'execution reverted: ERC20: transfer amount exceeds balance'),
      eth_getBalance: result(hex(10n ** 18n)),
      eth_feeHistory: result({ oldestBlock: '0x1', baseFeePerGas: ['0x1'] }),
    }),
  );
  await expect(terms(token)).rejects.toMatchObject({
    code: 'TransferWouldFail',
    message: expect.stringContaining('exceeds balance'),
  });
});

test('without EIP-1559 there is one price: the gas price of the node plus a surcharge for the priority', async () => {
  const legacy: EvmNetwork = { ...ethereumSepolia, variant: 'legacy' };
  node.behave(
    byMethod({
      eth_estimateGas: result(hex(21_000n)),
      eth_getBalance: result(hex(10n ** 18n)),
      eth_gasPrice: result(hex(2n * GWEI)),
      eth_blockNumber: result('0x9'),
    }),
  );
  const prices = async (priority: Priority) => (await terms(native, priority, legacy)).maxFeePerGas;
  expect([await prices('Slow'), await prices('Standard'), await prices('Fast')]).toEqual(
    [20n, 22n, 26n].map((tenth) => (tenth * GWEI) / 10n),
  );
});

const opStack: EvmNetwork = { ...ethereumSepolia, variant: 'opStack' };
const onRollup = (balance: bigint, oracle: string) =>
  node.behave(
    byMethod({
      eth_estimateGas: result(hex(21_000n)),
      eth_getBalance: result(hex(balance)),
      eth_feeHistory: result({ oldestBlock: '0x9', baseFeePerGas: [hex(GWEI), hex(2n * GWEI)], reward: rewards }),
      eth_call: result(oracle),
    }),
  );
const told = (units: bigint) => `0x${units.toString(16).padStart(64, '0')}`;

test('a rollup’s data fee is twice the value from its oracle, and the balance must cover this fee too', async () => {
  const needed = 1_000n + 21_000n * 7n * GWEI + 2n * GWEI;
  onRollup(needed, told(GWEI));
  expect(await terms(native, 'Standard', opStack)).toMatchObject({ dataFeeUnits: 2n * GWEI });
  onRollup(needed - 1n, told(GWEI));
  await expect(terms(native, 'Standard', opStack)).rejects.toMatchObject({ code: 'TransferWouldFail' });
});

test('no transfer is built for a rollup whose oracle returns nothing', async () => {
  onRollup(10n ** 18n, '0x');
  await expect(terms(native, 'Standard', opStack)).rejects.toMatchObject({ code: 'NetworkUnavailable' });
});

test('fees in a dollar token are paid from the token balance, in units of 10^-18 dollar', async () => {
  const dollars: EvmNetwork = { ...ethereumSepolia, variant: 'tempo', feeToken: { contract: TOKEN, decimals: 6 }, nonceKeys: 8 };
  const microNeeded = (50_000n * 7n * GWEI) / 10n ** 12n;
  const behaves = (microUnits: bigint) =>
    node.behave(
      byMethod({
        eth_estimateGas: result(hex(40_000n)),
        eth_feeHistory: result({ oldestBlock: '0x9', baseFeePerGas: [hex(GWEI), hex(2n * GWEI)], reward: rewards }),
        eth_call: result(told(microUnits)),
      }),
    );
  behaves(microNeeded);
  await expect(terms(token, 'Standard', dollars)).resolves.toBeDefined();
  behaves(microNeeded - 1n);
  await expect(terms(token, 'Standard', dollars)).rejects.toMatchObject({ code: 'TransferWouldFail' });
});

test('a fee in a Celo fee currency uses the prices and the balance of this currency, and does not need native coins', async () => {
  const celo: EvmNetwork = { ...ethereumSepolia, variant: 'celo', feeCurrencies: [{ contract: TOKEN, symbol: 'cUSD' }] };
  const asked = (feeCurrency?: string) =>
    readFeeTerms(createRpc('EthereumSepolia', [node.url]), celo, native, 'Standard', feeCurrency ? { feeCurrency } : {});
  const needed = 50_000n * 8n * GWEI;
  const behaves = (inCurrency: bigint) =>
    node.behave(
      byMethod({
        eth_estimateGas: result(hex(40_000n)),
        eth_gasPrice: result(hex(5n * GWEI)),
        eth_maxPriorityFeePerGas: result(hex(2n * GWEI)),
        eth_blockNumber: result('0x9'),
        eth_call: result(told(inCurrency)),
      }),
    );
  behaves(needed + 50_000n * 2n * GWEI);
  node.asked.length = 0;
  // The maximum fee is twice the base fee of 3 gwei, plus the tip. The tip is the reported 2 gwei plus a tenth: 2.2 gwei.
  expect(await asked(TOKEN)).toEqual({
    gas: 50_000n,
    maxFeePerGas: (82n * GWEI) / 10n,
    maxPriorityFeePerGas: (22n * GWEI) / 10n,
  });
  const paramsOf = (method: string) => node.asked.find((one) => one.method === method)?.params;
  expect([paramsOf('eth_gasPrice'), paramsOf('eth_maxPriorityFeePerGas')]).toEqual([[TOKEN], [TOKEN]]);
  expect(paramsOf('eth_estimateGas')).toEqual([expect.objectContaining({ feeCurrency: TOKEN })]);
  behaves(needed);
  await expect(asked(TOKEN)).rejects.toMatchObject({ code: 'TransferWouldFail' });
});
