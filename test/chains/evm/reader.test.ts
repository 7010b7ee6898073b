import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeAbiParameters } from 'viem/utils';
import { ETHEREUM } from '../../../chains/evm/networks/ethereum';
import { createEvmReader } from '../../../chains/evm/reader';
import { createRpc } from '../../../chains/rpc/rpc';
import type { TransferIntent } from '../../../chains/types';
import { refusal, result, startFakeNode } from '../rpc/fake-node';
import { FAUCET, startAnvil } from './anvil';
import { codec } from './intents';

const EMPTY = '0x1a642f0E3c3aF545E7AcBD38b07251B3990914F1';
const SUPPLY_UNITS = 1_000_000_000n;

let chain: Awaited<ReturnType<typeof startAnvil>>;
let contract: string;

beforeAll(async () => {
  chain = await startAnvil();
  const path = join(__dirname, '../../../node_modules/@openzeppelin/contracts/build/contracts/ERC20PresetFixedSupply.json');
  const { bytecode } = JSON.parse(readFileSync(path, 'utf8')) as { bytecode: string };
  const parameters = [{ type: 'string' }, { type: 'string' }, { type: 'uint256' }, { type: 'address' }] as const;
  const args = encodeAbiParameters(parameters, ['Test Dollar', 'TUSD', SUPPLY_UNITS, FAUCET]);
  contract = await chain.deploy(bytecode + args.slice(2));
});
afterAll(() => chain.stop());

const tokenIntent = (amountUnits: bigint): TransferIntent => ({
  network: 'EthereumSepolia',
  from: FAUCET,
  to: EMPTY,
  amountUnits,
  asset: { kind: 'Erc20', contract },
});

test('chain id, balances and counts are read from a real node', async () => {
  expect(await chain.reader.chainId()).toBe('11155111');
  expect(await chain.reader.nativeBalance(EMPTY)).toBe(0n);
  expect(await chain.reader.nativeBalance(FAUCET)).toBeGreaterThan(10n ** 20n);
  expect(await chain.reader.transactionCount(FAUCET, 'latest')).toBe(1);
  expect(await chain.reader.tokenBalance(contract, FAUCET)).toBe(SUPPLY_UNITS);
  expect(await chain.reader.tokenMetadata(contract)).toEqual({ symbol: 'TUSD', decimals: 18 });
});

test('an address without a contract is not a token', async () => {
  expect(await chain.reader.tokenMetadata(EMPTY)).toBeUndefined();
  await expect(chain.reader.tokenBalance(EMPTY, FAUCET)).rejects.toMatchObject({ code: 'AssetNotSupported', status: 400 });
});

test('a contract call returns the contract’s result or revert reason, and an address without a contract is refused', async () => {
  const uint = { name: 'amount', type: 'uint256' };
  const transfer = {
    name: 'transfer',
    stateMutability: 'nonpayable',
    inputs: [{ name: 'to', type: 'address' }, uint],
    outputs: [],
  } as const;
  const decimals = { name: 'decimals', stateMutability: 'view', inputs: [], outputs: [{ name: '', type: 'uint8' }] } as const;
  const ask = (abi: typeof transfer | typeof decimals, values: Record<string, unknown>, at = contract) =>
    chain.reader.call(at, codec.encodeFunction(abi, values, 'body'), 'body.contract');
  expect(codec.decodeAnswer(decimals, await ask(decimals, {}), 'body')).toBe('18');
  await expect(ask(transfer, { to: EMPTY, amount: '1' })).rejects.toMatchObject({
    code: 'CallReverted',
    details: { reason: 'execution reverted: ERC20: transfer from the zero address' },
  });
  await expect(ask(decimals, {}, EMPTY)).rejects.toMatchObject({
    code: 'InvalidRequest',
    details: { issues: [{ path: 'body.contract' }] },
  });
});

test('a transfer of more than the token balance would fail, and a transfer of the whole balance would not', async () => {
  await expect(chain.reader.feeTerms(tokenIntent(SUPPLY_UNITS), 'Standard')).resolves.toMatchObject({ gas: expect.any(BigInt) });
  await expect(chain.reader.feeTerms(tokenIntent(SUPPLY_UNITS + 1n), 'Standard')).rejects.toMatchObject({
    code: 'TransferWouldFail',
    message: expect.stringContaining('exceeds balance'),
  });
});

test('a missing balance of the sender is reported before the transfer is signed', async () => {
  const intent: TransferIntent = { ...tokenIntent(1n), from: EMPTY, to: FAUCET, asset: { kind: 'Native' } };
  await expect(chain.reader.feeTerms(intent, 'Slow')).rejects.toMatchObject({ code: 'TransferWouldFail', retryable: false });
});

describe('symbol and decimals of a contract', () => {
  const word = (text: string) => `0x${Buffer.from(text).toString('hex').padEnd(64, '0')}`;
  const asString = (text: string) => encodeAbiParameters([{ type: 'string' }], [text]);
  const eighteen = `0x${(18).toString(16).padStart(64, '0')}`;

  test.each([
    ['a string', asString('GOLD'), 'GOLD'],
    ['32 bytes, as in early tokens', word('MKR'), 'MKR'],
    ['markup', asString('<b>USDC</b>'), undefined],
    ['text that changes the reading direction', asString('\u202eCDSU'), undefined],
    ['too long', asString('A'.repeat(33)), undefined],
    ['unreadable', '0x1234', undefined],
  ])('a symbol that is %s is shown only if it is safe text', async (_what, answer, symbol) => {
    const node = await startFakeNode((question, response) => {
      const { data } = question.params[0] as { data: string };
      result(data === '0x95d89b41' ? answer : eighteen)(question, response);
    });
    const reader = createEvmReader(ETHEREUM.EthereumSepolia, createRpc('EthereumSepolia', [node.url]));
    const metadata = await reader.tokenMetadata(contract);
    await node.stop();
    expect(metadata).toEqual(symbol === undefined ? { decimals: 18 } : { decimals: 18, symbol });
  });

  test.each([
    ['are out of range', result(`0x${'f'.repeat(64)}`)],
    ['are refused', refusal(3, 'execution reverted')],
  ])('a contract is not a token if its decimals %s', async (_what, behaviour) => {
    const node = await startFakeNode(behaviour);
    const reader = createEvmReader(ETHEREUM.EthereumSepolia, createRpc('EthereumSepolia', [node.url]));
    const metadata = await reader.tokenMetadata(contract);
    await node.stop();
    expect(metadata).toBeUndefined();
  });
});
