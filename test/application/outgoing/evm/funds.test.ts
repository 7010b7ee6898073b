import { assertFunds, leastCallFee, leastTransferFee } from '../../../../application/outgoing/evm/funds';
import { createEvmReader } from '../../../../chains/evm/reader';
import { networkOf } from '../../../../chains/networks';
import { createRpc } from '../../../../chains/rpc/rpc';
import type { EvmTerms } from '../../../../domain/transactions';
import { byMethod, result, startFakeNode } from '../../../chains/rpc/fake-node';

const GWEI = 1_000_000_000n;
const DATA_FEE = 3n * GWEI;
const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const hex = (value: bigint) => `0x${value.toString(16)}`;
const terms = { gas: null, maxFeePerGas: null, call: {} } as EvmTerms;

let node: Awaited<ReturnType<typeof startFakeNode>>;
beforeAll(async () => {
  node = await startFakeNode(result('0x1'));
});
afterAll(() => node.stop());

/** Checks funds at a base fee of one gwei and a tip of two gwei. */
function fundsOn(network: 'EthereumSepolia' | 'OptimismSepolia') {
  const record = networkOf(network);
  if (record.family !== 'evm') throw new Error('the network is not in the EVM family');
  const reader = createEvmReader(record, createRpc(network, [node.url]));
  const asked = () => node.asked.filter(({ method }) => method === 'eth_call').length;
  const check = async (held: bigint, leastFee = leastTransferFee('Standard')) => {
    node.behave(
      byMethod({
        eth_getBalance: result(hex(held)),
        eth_feeHistory: result({
          oldestBlock: '0x9',
          baseFeePerGas: [hex(GWEI)],
          reward: [[hex(GWEI), hex(2n * GWEI), hex(GWEI)]],
        }),
        eth_call: result(`0x${(DATA_FEE / 2n).toString(16).padStart(64, '0')}`),
      }),
    );
    const spending = { nativeUnits: 1_000n, leastFee, at: 'body.amount' };
    return assertFunds({ readers: () => reader }, { network, address: ADDRESS }, spending).then(
      () => 'enough',
      ({ code }: { readonly code: string }) => code,
    );
  };
  return { check, asked };
}

test.each([
  ['EthereumSepolia', 0n],
  ['OptimismSepolia', DATA_FEE],
] as const)(
  '%s: a balance equal to amount, gas fee and data fee together is enough, and one unit less is not',
  async (network, dataFee) => {
    const { check } = fundsOn(network);
    const ofTransfer = 1_000n + 21_000n * 4n * GWEI + dataFee;
    expect([await check(ofTransfer), await check(ofTransfer - 1n)]).toEqual(['enough', 'TransferWouldFail']);
    const ofCall = 1_000n + 21_000n * GWEI + dataFee;
    const call = leastCallFee(terms);
    expect([await check(ofCall, call), await check(ofCall - 1n, call)]).toEqual(['enough', 'TransferWouldFail']);
  },
);

test('a rollup’s oracle is queried once for many requests, and not at all when the result does not depend on the data fee', async () => {
  const { check, asked } = fundsOn('OptimismSepolia');
  const before = asked();
  await check(10n ** 24n);
  expect(asked() - before).toBe(0);
  for (let request = 0; request < 3; request += 1) await check(999n);
  expect(asked() - before).toBe(0);
  for (let request = 0; request < 3; request += 1) await check(1_000n);
  expect(asked() - before).toBe(1);
});
