import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeAbiParameters, encodeEventTopics, encodeFunctionData, type Hex, pad, parseAbi } from 'viem';
import { ETHEREUM } from '../../../../chains/evm/networks/ethereum';
import { createEvmScanSource } from '../../../../chains/evm/scan/scan-source';
import { createRpc } from '../../../../chains/rpc/rpc';
import type { ChainLog } from '../../../../chains/types';
import { emittingCode } from '../../../support/emitted-log';
import { FAUCET, startAnvil } from '../anvil';

const NETWORK = ETHEREUM.EthereumSepolia;
const ALICE = '0x1a642f0E3c3aF545E7AcBD38b07251B3990914F1';
const BOB = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const ABI = parseAbi([
  'event Approval(address indexed owner, address indexed spender, uint256 value)',
  'event Paused(address account)',
  'event Own(uint256 indexed number, bytes32 word)',
  'function approve(address,uint256)',
  'function transfer(address,uint256)',
  'function mint(address,uint256,uint256,bytes)',
  'function mintBatch(address,uint256[],uint256[],bytes)',
]);

let chain: Awaited<ReturnType<typeof startAnvil>>;
beforeAll(async () => {
  chain = await startAnvil();
});
afterAll(() => chain.stop());

const source = () => {
  const rpc = createRpc(NETWORK.name, [chain.url], { timeoutMs: 10_000 });
  return createEvmScanSource(NETWORK, rpc, [rpc]);
};
const send = (fields: Readonly<Record<string, unknown>>) => chain.send(fields);
const headHeight = async () => (await source().head()).height;

async function logsOf(watched: readonly string[], from: number): Promise<readonly ChainLog[]> {
  const plain = new Set(watched.map((address) => address.toLowerCase()));
  const found: ChainLog[] = [];
  for (let height = from; height <= (await headHeight()); height += 1) {
    const block = await source().block(height);
    expect(block).toMatchObject({ proof: 'Root' });
    found.push(
      ...((
        await block?.contents(
          (address) => plain.has(address),
          async () => new Map(),
        )
      )?.logs ?? []),
    );
  }
  return found;
}

async function compiled(name: string, types: readonly { readonly type: string }[], args: readonly unknown[]): Promise<string> {
  const path = join(__dirname, `../../../../node_modules/@openzeppelin/contracts/build/contracts/${name}.json`);
  const { bytecode } = JSON.parse(readFileSync(path, 'utf8')) as { bytecode: string };
  return chain.deploy(bytecode + encodeAbiParameters(types as never, args as never).slice(2));
}

const shown = ({ definedBy, ...log }: ChainLog, abi: Parameters<ChainLog['definedBy']>[0] = []) => {
  const definition = definedBy(abi);
  return { ...log, name: definition?.name, standard: definition?.standard, args: definition?.decode()?.args };
};

test('an approval from a real token is an event for the owner and the spender, and a transfer is a movement', async () => {
  const types = [{ type: 'string' }, { type: 'string' }, { type: 'uint256' }, { type: 'address' }];
  const token = await compiled('ERC20PresetFixedSupply', types, ['Dollar', 'USD', 1_000n, FAUCET]);
  const from = (await headHeight()) + 1;
  const txHash = await send({ to: token, data: encodeFunctionData({ abi: ABI, functionName: 'approve', args: [BOB, 5n] }) });
  await send({ to: token, data: encodeFunctionData({ abi: ABI, functionName: 'transfer', args: [ALICE, 5n] }) });
  const [approval, transfer, ...others] = await logsOf([ALICE, BOB], from);
  expect(others).toEqual([]);
  expect(shown(approval as ChainLog)).toMatchObject({
    ...{ addresses: [BOB], contract: token, txHash, ordinal: 'log:0', logIndex: '0', name: 'Approval', standard: 'ERC-20' },
    args: { owner: FAUCET, spender: BOB, value: '5' },
  });
  expect(approval?.isTransferOf(BOB)).toBe(false);
  expect([transfer?.definedBy([]), transfer?.isTransferOf(ALICE), transfer?.isTransferOf(BOB)]).toEqual([undefined, true, false]);
});

test('the tokens of a real ERC-1155 contract arrive as TransferSingle and TransferBatch', async () => {
  const token = await compiled('ERC1155PresetMinterPauser', [{ type: 'string' }], ['https://tokens.test/{id}']);
  const from = (await headHeight()) + 1;
  await send({ to: token, data: encodeFunctionData({ abi: ABI, functionName: 'mint', args: [ALICE, 7n, 3n, '0x'] }) });
  await send({
    to: token,
    data: encodeFunctionData({ abi: ABI, functionName: 'mintBatch', args: [ALICE, [7n, 8n], [1n, 2n], '0x'] }),
  });
  const parties = { operator: FAUCET, from: `0x${'0'.repeat(40)}`, to: ALICE };
  expect((await logsOf([ALICE], from)).map((log) => shown(log))).toEqual([
    expect.objectContaining({ name: 'TransferSingle', standard: 'ERC-1155', args: { ...parties, id: '7', value: '3' } }),
    expect.objectContaining({ name: 'TransferBatch', args: { ...parties, ids: ['7', '8'], values: ['1', '2'] } }),
  ]);
});

const emit = (topics: readonly string[], data: string) => chain.deploy(emittingCode({ topics, data }));
const topicsOf = (eventName: 'Approval' | 'Own' | 'Paused', args: object = {}) =>
  encodeEventTopics({ abi: ABI, eventName, args } as never) as string[];

test('a log concerns its contract, and each address that fills a topic or a whole word of the data', async () => {
  const from = (await headHeight()) + 1;
  const paused = await emit(topicsOf('Paused'), pad(ALICE as Hex));
  const own = await emit(topicsOf('Own', { number: 1n }), pad('0x01'));
  await emit(topicsOf('Paused'), `0x00${pad(BOB as Hex).slice(2)}`);
  const found = (await logsOf([ALICE, own, BOB], from)).map((log) => shown(log));
  expect(found).toEqual([
    expect.objectContaining({ contract: paused, addresses: [ALICE], name: 'Paused', args: { account: ALICE } }),
    expect.objectContaining({ contract: own, addresses: [own], name: undefined }),
  ]);
  const [, log] = await logsOf([ALICE, own], from);
  expect(shown(log as ChainLog, ABI as never)).toMatchObject({ name: 'Own', args: { number: '1', word: pad('0x01') } });
});

test('malformed topics and data do not cause an error, and are not decoded', async () => {
  const from = (await headHeight()) + 1;
  const [approval = '', paused = ''] = [topicsOf('Approval')[0], topicsOf('Paused')[0]];
  const watched = [
    await emit([], '0x'),
    await emit([], '0x0102'),
    await emit([`0x${'00'.repeat(32)}`], pad(ALICE as Hex)),
    await emit([approval, `0x${'ff'.repeat(32)}`, pad(ALICE as Hex)], pad('0x05')),
    await emit([approval, pad(ALICE as Hex), pad(BOB as Hex)], '0x05'),
    await emit([approval, pad(ALICE as Hex)], pad('0x05')),
    await emit([paused], `0x${'ff'.repeat(32)}`),
  ];
  const found = await logsOf([ALICE, ...watched], from);
  expect(found).toHaveLength(watched.length);
  expect(found.map((log) => shown(log, ABI as never).args)).toEqual(watched.map(() => undefined));
});
