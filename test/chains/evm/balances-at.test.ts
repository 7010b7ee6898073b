import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeAbiParameters, encodeFunctionData, parseAbi } from 'viem/utils';
import { z } from 'zod';
import { ETHEREUM } from '../../../chains/evm/networks/ethereum';
import { createEvmReader } from '../../../chains/evm/reader';
import { createRpc, Hash, type Rpc, RpcError } from '../../../chains/rpc/rpc';
import { FAUCET, startAnvil } from './anvil';

const HOLDER = '0x1a642f0E3c3aF545E7AcBD38b07251B3990914F1';
const SUPPLY = 1_000_000n;
const TOKEN = parseAbi(['function transfer(address,uint256)']);
const ETHER = 10n ** 18n;

let chain: Awaited<ReturnType<typeof startAnvil>>;
let token: string;
let reverts: string;

const headHash = async () => (await chain.call('eth_getBlockByNumber', ['latest', false], z.object({ hash: Hash }))).hash;
const send = (fields: Readonly<Record<string, unknown>>) => chain.send(fields);

beforeAll(async () => {
  chain = await startAnvil();
  const path = join(__dirname, '../../../node_modules/@openzeppelin/contracts/build/contracts/ERC20PresetFixedSupply.json');
  const { bytecode } = JSON.parse(readFileSync(path, 'utf8')) as { bytecode: string };
  const types = [{ type: 'string' }, { type: 'string' }, { type: 'uint256' }, { type: 'address' }] as const;
  token = await chain.deploy(bytecode + encodeAbiParameters(types, ['Dollar', 'USD', SUPPLY, FAUCET]).slice(2));
  reverts = await chain.deploy('0x6005600c60003960056000f360006000fd');
});
afterAll(() => chain?.stop());

/** Simulates a node without state overrides. */
const withoutOverrides: (rpc: Rpc) => Rpc = (rpc) => (method, params, result) =>
  params.length > 2 ? Promise.reject(new RpcError(-32_602, 'too many arguments, want at most 2')) : rpc(method, params, result);
const plain: (rpc: Rpc) => Rpc = (rpc) => rpc;

test.each([
  ['together', plain],
  ['one by one', withoutOverrides],
])('balances are read %s in the state after a past block, and not in the present state', async (_, wrapped) => {
  const calls: string[] = [];
  const rpc = createRpc('EthereumSepolia', [chain.url]);
  const counted: Rpc = (method, params, result) => {
    calls.push(method);
    return wrapped(rpc)(method, params, result);
  };
  const reader = createEvmReader(ETHEREUM.EthereumSepolia, counted);
  const transfer = (units: bigint) =>
    send({ to: token, data: encodeFunctionData({ abi: TOKEN, functionName: 'transfer', args: [HOLDER, units] }) });
  const at = async (hash: string) =>
    (await reader.balancesAt([HOLDER, FAUCET], [token, reverts, HOLDER], hash)).map((one) => [...one]);
  const [, tokenBefore] = (await at(await headHash()))[0]?.map(([, units]) => units) ?? [];
  await transfer(7n);
  await send({ to: HOLDER, value: '0x5' });
  const hash = await headHash();
  const then = await at(hash);
  await transfer(1n);
  await send({ to: HOLDER, value: '0x1' });
  calls.splice(0);
  expect(await at(hash)).toEqual(then);
  expect(calls).toHaveLength(wrapped === plain ? 1 : 9);
  const [holder, faucet] = then.map((one) => new Map(one));
  expect([...(holder?.keys() ?? [])]).toEqual(['', token]);
  expect(holder?.get(token)).toBe((tokenBefore ?? 0n) + 7n);
  expect((holder?.get(token) ?? 0n) + (faucet?.get(token) ?? 0n)).toBe(SUPPLY);
  expect([(holder?.get('') ?? 0n) > 4n, (faucet?.get('') ?? 0n) > 9_000n * ETHER]).toEqual([true, true]);
});

test('more pairs than fit into one call are read in several calls', async () => {
  const calls: string[] = [];
  const rpc = createRpc('EthereumSepolia', [chain.url]);
  const reader = createEvmReader(ETHEREUM.EthereumSepolia, (method, params, result) => {
    calls.push(method);
    return rpc(method, params, result);
  });
  const addresses = Array.from({ length: 126 }, (_, at) => (at === 125 ? FAUCET : `0x${String(at + 1).padStart(40, 'd')}`));
  const found = await reader.balancesAt(addresses, [token], await headHash());
  expect(calls).toEqual(['eth_call', 'eth_call']);
  expect(found.slice(0, 125).every((one) => one.get('') === 0n && one.get(token) === 0n)).toBe(true);
  expect(found[125]?.get(token)).toBeGreaterThan(0n);
});

test('an unknown block, or a node that refuses past states, causes an error and never a balance of zero', async () => {
  const unknown = `0x${'ab'.repeat(32)}`;
  await expect(chain.reader.balancesAt([HOLDER], [token], unknown)).rejects.toMatchObject({ code: 'NetworkUnavailable' });
  const refusing: Rpc = () => Promise.reject(new RpcError(-32_000, 'missing trie node'));
  const reader = createEvmReader(ETHEREUM.EthereumSepolia, refusing);
  await expect(reader.balancesAt([HOLDER], [], unknown)).rejects.toMatchObject({ code: 'NetworkUnavailable' });
});
