import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { encodeAbiParameters, encodeFunctionData, parseAbi } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { z } from 'zod';
import { ETHEREUM } from '../../../../chains/evm/networks/ethereum';
import { createEvmScanSource } from '../../../../chains/evm/scan/scan-source';
import { createRpc } from '../../../../chains/rpc/rpc';
import type { BlockBody } from '../../../../chains/types';
import type { ChainMovement } from '../../../../domain/movements';
import { blockMovements } from '../../../support/block-contents';
import { FAUCET, startAnvil } from '../anvil';

const NETWORK = ETHEREUM.EthereumSepolia;
const ALICE = '0x1a642f0E3c3aF545E7AcBD38b07251B3990914F1';
const BOB = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const NOTHING = '0x000000000000000000000000000000000000dEaD';
/** Sends the value of the call to the address in the first word of its data. */
const FORWARDS = '6000600060006000346000355af100';
const FORWARDS_AND_REVERTS = '6000600060006000346000355af160006000fd';
const ENDS_ITSELF = '600035ff';
/** Calls a precompile, pays its caller 5, creates a contract with 1, and pays the rest to another address as it ends. */
const PAYS_IN_FOUR_WAYS = ['5f5f5f5f60045afa50', '5f5f5f5f6005335af150', '5f5f6001f050', '61beefff'].join('');
const TOKEN = parseAbi([
  'function transfer(address,uint256)',
  'function mint(address)',
  'function transferFrom(address,address,uint256)',
]);

let chain: Awaited<ReturnType<typeof startAnvil>>;
const sourceOver = (...urls: readonly string[]) => sourceOf(NETWORK, urls);
const sourceOf = (network: Pick<typeof NETWORK, 'name' | 'provesBlocks' | 'sees'>, urls: readonly string[]) => {
  const over = (some: readonly string[]) => createRpc(NETWORK.name, some, { timeoutMs: 10_000 });
  return createEvmScanSource(
    network,
    over(urls),
    urls.map((url) => over([url])),
  );
};

beforeAll(async () => {
  chain = await startAnvil();
});
afterAll(() => chain.stop());

const send = (fields: Readonly<Record<string, unknown>>) => chain.send(fields);
const wordOf = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
const contractOf = (code: string) =>
  chain.deploy(
    `0x60${(code.length / 2).toString(16).padStart(2, '0')}600c60003960${(code.length / 2).toString(16).padStart(2, '0')}6000f3${code}`,
  );
const headHeight = async () => (await sourceOver(chain.url).head()).height;

async function movementsOf(watched: readonly string[], from: number): Promise<ChainMovement[]> {
  const source = sourceOver(chain.url);
  const plain = new Set(watched.map((address) => source.plain(address)));
  const found: ChainMovement[] = [];
  for (let height = from; height <= (await headHeight()); height += 1) {
    const block = await source.block(height);
    expect(block).toMatchObject({ height, proof: 'Root' });
    found.push(...(await blockMovements(block, (address) => plain.has(address))));
  }
  return found;
}

async function tokenAt(name: 'ERC20PresetFixedSupply' | 'ERC721PresetMinterPauserAutoId', args: `0x${string}`): Promise<string> {
  const path = join(__dirname, `../../../../node_modules/@openzeppelin/contracts/build/contracts/${name}.json`);
  const { bytecode } = JSON.parse(readFileSync(path, 'utf8')) as { bytecode: string };
  return chain.deploy(bytecode + args.slice(2));
}

test('native value is received, and sent with the fee; a transaction that failed moves only its fee', async () => {
  const from = (await headHeight()) + 1;
  const paid = await send({ to: ALICE, value: '0x7' });
  const reverts = await contractOf('60006000fd');
  await send({ to: reverts, value: '0x5' }).catch(() => undefined);
  const found = await movementsOf([ALICE, FAUCET], from);
  const ofPaid = found.filter(({ txHash }) => txHash === paid);
  const receipt = await chain.call(
    'eth_getTransactionReceipt',
    [paid],
    z.object({ gasUsed: z.string(), effectiveGasPrice: z.string() }),
  );
  const feeUnits = BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice);
  const common = { kind: 'NativeTransfer', ordinal: 'value', from: FAUCET, to: ALICE, amountUnits: 7n };
  expect(ofPaid).toEqual([
    expect.objectContaining({ ...common, address: FAUCET, direction: 'Out', feeUnits }),
    expect.objectContaining({ ...common, address: ALICE, direction: 'In' }),
  ]);
  const failed = found.findLast(({ to }) => to === reverts);
  expect(failed).toMatchObject({ direction: 'Out', amountUnits: 0n, isReverted: true });
  expect(ofPaid[0]).not.toHaveProperty('isReverted');
  expect(failed?.feeUnits).toBeGreaterThan(0n);
});

test('native value within calls is found by traces, unless an enclosing call reverted', async () => {
  const [forwards, reverts, ends] = [
    await contractOf(FORWARDS),
    await contractOf(FORWARDS_AND_REVERTS),
    await contractOf(ENDS_ITSELF),
  ];
  const from = (await headHeight()) + 1;
  await send({ to: forwards, value: '0xb', data: wordOf(ALICE) });
  await send({ to: reverts, value: '0xc', data: wordOf(ALICE) }).catch(() => undefined);
  await send({ to: forwards, value: '0xd', data: wordOf(reverts) });
  await send({ to: ends, value: '0xe', data: wordOf(ALICE) });
  const found = await movementsOf([ALICE], from);
  expect(found.map(({ amountUnits, ordinal, from: sender }) => ({ amountUnits, ordinal, sender }))).toEqual([
    { amountUnits: 11n, ordinal: 'call:0', sender: forwards },
    { amountUnits: 14n, ordinal: 'call:0', sender: ends },
  ]);
});

test('fungible and unique tokens are found by their logs, and a transfer of zero is not a movement', async () => {
  const types = [{ type: 'string' }, { type: 'string' }, { type: 'uint256' }, { type: 'address' }] as const;
  const token = await tokenAt('ERC20PresetFixedSupply', encodeAbiParameters(types, ['Dollar', 'USD', 1_000n, FAUCET]));
  const three = [{ type: 'string' }, { type: 'string' }, { type: 'string' }] as const;
  const unique = await tokenAt('ERC721PresetMinterPauserAutoId', encodeAbiParameters(three, ['Cats', 'CAT', '']));
  const from = (await headHeight()) + 1;
  await send({ to: token, data: encodeFunctionData({ abi: TOKEN, functionName: 'transfer', args: [ALICE, 40n] }) });
  await send({ to: token, data: encodeFunctionData({ abi: TOKEN, functionName: 'transfer', args: [ALICE, 0n] }) });
  await send({ to: unique, data: encodeFunctionData({ abi: TOKEN, functionName: 'mint', args: [ALICE] }) });
  const found = await movementsOf([ALICE], from);
  expect(found).toEqual([
    expect.objectContaining({
      kind: 'Erc20Transfer',
      contract: token,
      amountUnits: 40n,
      direction: 'In',
      ordinal: 'log:0',
      logIndex: '0',
    }),
    expect.objectContaining({
      kind: 'Erc721Transfer',
      contract: unique,
      tokenId: '0',
      from: `0x${'0'.repeat(40)}`,
      direction: 'In',
    }),
  ]);
  expect(found[1]).not.toHaveProperty('amountUnits');
});

test('a block with transactions of every type is proved by its root', async () => {
  const secret = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d';
  const account = privateKeyToAccount(secret);
  await chain.order('evm_setAutomine', false);
  const common = { chainId: 11_155_111, gas: 100_000n, to: NOTHING, value: 1n } as const;
  const prices = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 1n } as const;
  const accessList = [{ address: ALICE, storageKeys: [`0x${'01'.repeat(32)}`] }] as const;
  const authorization = await account.signAuthorization({ chainId: 11_155_111, contractAddress: NOTHING, nonce: 9 });
  const raws = [
    await account.signTransaction({ ...common, type: 'legacy', nonce: 0, gasPrice: 10n ** 11n }),
    await account.signTransaction({ ...common, type: 'eip2930', nonce: 1, gasPrice: 10n ** 11n, accessList }),
    await account.signTransaction({ ...common, ...prices, type: 'eip1559', nonce: 2, accessList }),
    await account.signTransaction({ ...common, ...prices, type: 'eip7702', nonce: 3, authorizationList: [authorization] }),
    await account.signTransaction({ ...common, ...prices, type: 'eip1559', nonce: 4, to: null, data: '0x00' }),
  ];
  for (const raw of raws) await chain.order('eth_sendRawTransaction', raw);
  await chain.order('anvil_mine', '0x1');
  await chain.order('evm_setAutomine', true);
  const block = await sourceOver(chain.url).block(await headHeight());
  expect(block?.proof).toBe('Root');
  expect(await blockMovements(block, (address) => address === BOB.toLowerCase())).toHaveLength(5);
});

/** A node that changes the replies of the chain's node. */
async function lyingNode(
  change: (method: string, result: never) => unknown,
): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { method } = JSON.parse(body) as { method: string };
    const reply = await fetch(chain.url, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    const { result, ...rest } = (await reply.json()) as { result: never };
    response.end(JSON.stringify({ ...rest, result: change(method, result) }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

type Told = { logs: object[]; transactions: { value: string; from: string }[] };
const LIES: readonly (readonly [string, string, (told: never) => unknown])[] = [
  ['leaves out a log', 'eth_getBlockReceipts', (told: { logs: object[] }[]) => told.map((one) => ({ ...one, logs: [] }))],
  ['leaves out a receipt', 'eth_getBlockReceipts', (told: object[]) => told.slice(1)],
  ['leaves out a transaction', 'eth_getBlockByNumber', (told: Told) => ({ ...told, transactions: [] })],
  [
    'changes an amount',
    'eth_getBlockByNumber',
    (told: Told) => ({ ...told, transactions: told.transactions.map((tx) => ({ ...tx, value: '0x9' })) }),
  ],
  [
    'changes the status of a transaction',
    'eth_getBlockReceipts',
    (told: object[]) => told.map((one) => ({ ...one, status: '0x0' })),
  ],
  ['changes the time of the block', 'eth_getBlockByNumber', (told: Told) => ({ ...told, timestamp: '0x1' })],
] as never;

test.each(LIES)('a node that %s is refused, and a second node gives the block', async (_what, changed, change) => {
  const types = [{ type: 'string' }, { type: 'string' }, { type: 'uint256' }, { type: 'address' }] as const;
  await tokenAt('ERC20PresetFixedSupply', encodeAbiParameters(types, ['Dollar', 'USD', 1_000n, FAUCET]));
  const height = await headHeight();
  const { url, server } = await lyingNode((method, told) => (method === changed ? change(told) : told));
  try {
    const bodies: BlockBody[] = [];
    const refused = sourceOver(url).block(height, (body) => bodies.push(body));
    await expect(refused).rejects.toMatchObject({ code: 'NetworkUnavailable' });
    expect(bodies).toHaveLength(changed === 'eth_getBlockByNumber' ? 0 : 1);
    const block = await sourceOver(url, chain.url).block(height);
    expect(block?.proof).toBe('Root');
    expect(await blockMovements(block, (address) => address === FAUCET.toLowerCase())).toHaveLength(2);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

test.each([
  ['a proved block, before its receipts', false, 1, ['eth_getBlockByNumber']],
  ['the only node, before its receipts', true, 1, ['eth_getBlockByNumber']],
  ['two nodes, after both agree', true, 2, Array(2).fill(['eth_getBlockByNumber', 'eth_getBlockReceipts']).flat()],
])('the source reports transaction ids from %s', async (_word, isAltered, nodes, askedBefore) => {
  await send({ to: ALICE, value: '0x7' });
  const height = await headHeight();
  const asked: string[] = [];
  const { url, server } = await lyingNode((method, told: object) => {
    asked.push(method);
    return isAltered && method === 'eth_getBlockByNumber' ? { ...told, timestamp: '0x1' } : told;
  });
  try {
    const told: [BlockBody, string[]][] = [];
    const source = sourceOf({ ...NETWORK, provesBlocks: !isAltered }, Array(nodes).fill(url));
    await source.block(height, (body) => told.push([body, [...asked]]));
    expect(told[0]).toEqual([{ ...(await chain.gateway.block(height)), parentHeight: height - 1 }, askedBefore]);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** A node that lacks the methods with these prefixes. */
async function nodeWithout(...prefixes: readonly string[]) {
  const { url, server } = await lyingNode((_method, told) => told);
  server.removeAllListeners('request');
  server.on('request', async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { id, method } = JSON.parse(body) as { id: number; method: string };
    const refused = { jsonrpc: '2.0', id, error: { code: -32_601, message: 'the method does not exist' } };
    if (prefixes.some((prefix) => method.startsWith(prefix))) return response.end(JSON.stringify(refused));
    const reply = await fetch(chain.url, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    return response.end(await reply.text());
  });
  return { url, server };
}

test('the two methods of tracing show the same movements', async () => {
  const from = (await headHeight()) + 1;
  const [paysTwiceAndEnds, reverts] = [await contractOf(PAYS_IN_FOUR_WAYS), await contractOf(FORWARDS_AND_REVERTS)];
  const forwards = await contractOf(FORWARDS);
  await send({ to: forwards, value: '0x5', data: wordOf(reverts) });
  await send({ to: forwards, value: '0x6', data: wordOf(ALICE) });
  await send({ to: paysTwiceAndEnds, value: '0x64' });
  const nodes = [await nodeWithout('trace_'), await nodeWithout('debug_')];
  try {
    const seen = await Promise.all(
      nodes.map(async ({ url }) => {
        const found: ChainMovement[] = [];
        for (let height = from; height <= (await headHeight()); height += 1) {
          const block = await sourceOver(url).block(height);
          expect(block).toMatchObject({ sight: 'Traces' });
          found.push(...(await blockMovements(block, () => true)));
        }
        return found;
      }),
    );
    expect(seen[0]).toEqual(seen[1]);
    const calls = seen[0]?.filter(({ ordinal, direction }) => ordinal.startsWith('call:') && direction === 'In') ?? [];
    expect(calls.map(({ ordinal, amountUnits }) => [ordinal, amountUnits])).toEqual([
      ['call:0', 6n],
      ['call:0', 5n],
      ['call:1', 1n],
      ['call:2', 94n],
    ]);
  } finally {
    for (const { server } of nodes) {
      server.closeAllConnections();
      server.close();
    }
  }
});

test('a node without traces is recognised, and the result for a height that no node has is undefined', async () => {
  const { url, server } = await nodeWithout('debug_', 'trace_');
  try {
    const height = await headHeight();
    expect(await sourceOver(url).block(height)).toMatchObject({ proof: 'Root', sight: 'Transactions' });
    expect(await sourceOver(url, chain.url).block(height)).toMatchObject({ proof: 'Root', sight: 'Traces' });
    expect(await sourceOver(chain.url).block(height)).toMatchObject({ proof: 'Root', sight: 'Traces' });
    expect(await sourceOver(chain.url).block((await headHeight()) + 1)).toBeUndefined();
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});
