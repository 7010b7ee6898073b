import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeAbiParameters, keccak256 } from 'viem/utils';
import { z } from 'zod';
import { createEvmGateway } from '../../../chains/evm/gateway';
import { createEvmReader } from '../../../chains/evm/reader';
import { createEvmScanSource } from '../../../chains/evm/scan/scan-source';
import type { EvmNetwork } from '../../../chains/evm/types';
import { createRpc, Hash } from '../../../chains/rpc/rpc';
import { MovementEntity } from '../../../entities/movements/movement.entity';
import { scanStore } from '../../../entities/scans/scan.store';
import { openWatchList } from '../../../entities/scans/watch-list';
import { FAUCET, startAnvil } from '../../chains/evm/anvil';
import { createTestDatabase } from '../../support/database';
import { openHousekeeping } from '../../support/housekeeping';
import { type Lies, startLyingNode } from '../../support/lying-node';
import { insertWallet, newKeyPair } from '../../support/scanned-wallets';
import { SCANNED, scanAll, scannerOver } from '../../support/scanning';
import { differencesOf, sweepAll } from '../../support/sweeping';

const NETWORK = SCANNED as EvmNetwork;
const USDC = NETWORK.tokens[0]?.contract as string;
/** Sends the value of the call to the address in the first word of its data. */
const FORWARDS = '6000600060006000346000355af100';
/** Takes an address and the first and last amount of a range, and transfers each amount of the token to the address. */
const DISTRIBUTES = [
  ...['63a9059cbb', '60e0', '1b', '6000', '52', '6000', '35', '6004', '52', '6020', '35'],
  ...['5b', '80', '6024', '52', '6000', '6000', '6044', '6000', '6000', `73${USDC.slice(2)}`, '5a', 'f1', '50'],
  ...['6001', '01', '80', '6040', '35', '6001', '01', '11', '6014', '57', '00'],
].join('');
const BLOCKS = 5;
const LOGS_PER_TRANSACTION = 67;
const LOGS_PER_BLOCK = 3 * LOGS_PER_TRANSACTION;
const LOGS = BLOCKS * LOGS_PER_BLOCK;
/** One log in a thousand is hidden: the log that pays this amount. */
const HIDDEN_UNITS = 777;
/** Only the transaction with the hidden log pays the wallet, because each payment to the wallet costs time. */
const OWN_FIRST = HIDDEN_UNITS - ((HIDDEN_UNITS - 1) % LOGS_PER_TRANSACTION);
const OWN_SUM = LOGS_PER_TRANSACTION * OWN_FIRST + (LOGS_PER_TRANSACTION * (LOGS_PER_TRANSACTION - 1)) / 2;
const [WALLET, STRANGER] = [newKeyPair(NETWORK.name), newKeyPair(NETWORK.name)];

jest.setTimeout(120_000);

let chain: Awaited<ReturnType<typeof startAnvil>>;
let liar: Awaited<ReturnType<typeof startLyingNode>>;
let other: Awaited<ReturnType<typeof startLyingNode>>;
/** The last block before the payments. */
let before: bigint;
let coinPayment: string;
let innerPayment: string;
let blockOfLog: bigint;

const wordOf = (address: string) => address.slice(2).toLowerCase().padStart(64, '0');
const send = (call: Readonly<Record<string, unknown>>) =>
  chain.call('eth_sendTransaction', [{ from: FAUCET, gas: '0x4c4b40', ...call }], Hash);
function contractOf(code: string): Promise<string> {
  const length = (code.length / 2).toString(16).padStart(2, '0');
  return chain.deploy(`0x60${length}600c60003960${length}6000f3${code}`);
}
const head = async () => BigInt(await chain.call('eth_blockNumber', [], z.string()));

const isHiddenLog: Lies['hidesLog'] = ({ data }) => BigInt(String(data)) === BigInt(HIDDEN_UNITS);

/** Puts the code of a token at the address of the network's token, and gives the holder a balance of the token. */
async function putToken(holder: string): Promise<void> {
  const path = join(__dirname, '../../../node_modules/@openzeppelin/contracts/build/contracts/ERC20PresetFixedSupply.json');
  const { bytecode } = JSON.parse(readFileSync(path, 'utf8')) as { bytecode: string };
  const types = [{ type: 'string' }, { type: 'string' }, { type: 'uint256' }, { type: 'address' }] as const;
  const made = await chain.deploy(bytecode + encodeAbiParameters(types, ['Dollar', 'USD', 1n, FAUCET]).slice(2));
  await chain.order('anvil_setCode', USDC, await chain.call('eth_getCode', [made, 'latest'], z.string()));
  const slot = keccak256(`0x${wordOf(holder)}${'0'.repeat(64)}`);
  await chain.order('anvil_setStorageAt', USDC, slot, `0x${(10n ** 18n).toString(16).padStart(64, '0')}`);
}

beforeAll(async () => {
  chain = await startAnvil();
  const distributes = await contractOf(DISTRIBUTES);
  await putToken(distributes);
  const forwards = await contractOf(FORWARDS);
  await chain.order('anvil_mine', '0x5');
  before = await head();
  await chain.order('evm_setAutomine', false);
  for (let first = 1; first <= LOGS; first += LOGS_PER_TRANSACTION) {
    const last = first + LOGS_PER_TRANSACTION - 1;
    const isOwn = first === OWN_FIRST;
    await send({
      to: distributes,
      data: `0x${wordOf((isOwn ? WALLET : STRANGER).address)}${[first, last].map((one) => one.toString(16).padStart(64, '0')).join('')}`,
    });
    if (isOwn) blockOfLog = (await head()) + 1n;
    if (last % LOGS_PER_BLOCK === 0) await chain.order('evm_mine');
  }
  coinPayment = await send({ to: WALLET.address, value: '0x7' });
  innerPayment = await send({ to: forwards, value: '0xb', data: `0x${wordOf(WALLET.address)}` });
  await chain.order('evm_mine');
  await chain.order('anvil_mine', '0x5');
  [liar, other] = await Promise.all([startLyingNode(chain.url), startLyingNode(chain.url)]);
});
afterAll(async () => {
  await Promise.all([liar?.stop(), other?.stop()]);
  await chain?.stop();
});

type Kind = { readonly provesBlocks: boolean; readonly nodes: 1 | 2 };

/** Scans the chain before the payments, remembers the balances, scans the payments, and compares the balances again. */
async function outcomeOf({ provesBlocks, nodes }: Kind, lie: Partial<Lies>) {
  const database = await createTestDatabase();
  const watchList = openWatchList(database.relayUrl);
  const urls = [liar.url, other.url].slice(0, nodes);
  const over = (some: readonly string[]) => createRpc(NETWORK.name, some, { timeoutMs: 60_000 });
  const [rpc, each] = [over(urls), urls.map((url) => over([url]))];
  const reader = createEvmReader(NETWORK, rpc);
  const house = await openHousekeeping({ database, networks: [NETWORK.name], readers: () => reader });
  try {
    const orgId = await database.createOrganization();
    const wallet = await database.db.withOrg(orgId, (tx) => insertWallet(tx, NETWORK.name, WALLET));
    await database.arrange(`UPDATE watched_addresses SET date_added = '2020-01-01'`, []);
    const source = createEvmScanSource({ name: NETWORK.name, provesBlocks, sees: { native: 'Calls' } }, rpc, each);
    const scanner = scannerOver({ db: database.db, watchList, source, gateway: createEvmGateway(NETWORK, rpc, each) });
    for (const { lies, honest } of [liar, other]) Object.assign(lies, honest(), { hasOwnHeaders: !provesBlocks, head: before });
    await scanAll(scanner);
    await sweepAll(house);
    for (const { lies } of [liar, other]) lies.head = undefined;
    Object.assign(liar.lies, lie);
    const refusal = await scanAll(scanner).then(
      () => undefined,
      (error: Error) => error.message,
    );
    await sweepAll(house);
    const rows = await database.db.read(orgId).rows(MovementEntity, '');
    const kept = await scanStore.keptBlocks(database.db.read(''), NETWORK.name);
    return {
      refusal,
      proofs: [...new Set(kept.filter(({ matched }) => matched > 0).map(({ proof }) => proof))],
      tokens: rows.filter(({ kind }) => kind === 'Erc20Transfer').length,
      coins: rows.filter(({ kind }) => kind === 'NativeTransfer').length,
      differences: (await differencesOf(house, { orgId, id: wallet.walletId })).map((line) => line.replace(/ \d+\.\.\d+/, '')),
    };
  } finally {
    await watchList.close();
    await house.close();
    await database.close();
  }
}

const ALL = { refusal: undefined, tokens: LOGS_PER_TRANSACTION, coins: 2, differences: [] };
const WHAT: Readonly<Record<string, () => Partial<Lies>>> = {
  'one log in a thousand': () => ({ hidesLog: isHiddenLog }),
  'a transaction': () => ({ hidesTransaction: (hash) => hash === coinPayment }),
  'a call within a transaction': () => ({ hidesCallsOf: (hash) => hash === innerPayment }),
  'a block': () => ({ hiddenBlock: blockOfLog }),
};
const MISSING = [
  [
    'one log in a thousand',
    {
      tokens: LOGS_PER_TRANSACTION - 1,
      differences: [`${USDC}: ${OWN_SUM - HIDDEN_UNITS}, ${OWN_SUM}, Unexplained`],
    },
  ],
  ['a transaction', { coins: 1, differences: ['native: 11, 18, Unexplained'] }],
  ['a call within a transaction', { coins: 1, differences: ['native: 7, 18, Unexplained'] }],
] as const;

test.each([
  ['its root', { provesBlocks: true, nodes: 2 }, 'Root'],
  ['two nodes', { provesBlocks: false, nodes: 2 }, 'TwoNodes'],
  ['one node', { provesBlocks: false, nodes: 1 }, 'OneNode'],
] as const)('nothing is missing and nothing differs if all nodes are honest, and %s prove a block', async (_, kind, proof) => {
  expect(await outcomeOf(kind, {})).toEqual({ ...ALL, proofs: [proof] });
});

test.each(['one log in a thousand', 'a transaction', 'a block'])(
  'the roots catch a node that hides %s: the other node is used, and nothing is missing',
  async (what) => {
    expect(await outcomeOf({ provesBlocks: true, nodes: 2 }, WHAT[what]?.() ?? {})).toEqual({ ...ALL, proofs: ['Root'] });
  },
);

test.each(['one log in a thousand', 'a transaction', 'a block'])(
  'the roots catch a single node that hides %s: the block is refused, and the scan waits',
  async (what) => {
    const { refusal, tokens } = await outcomeOf({ provesBlocks: true, nodes: 1 }, WHAT[what]?.() ?? {});
    expect(refusal).toMatch('The hash of a block does not follow from what the nodes return');
    expect(tokens).toBeLessThan(LOGS_PER_TRANSACTION);
  },
);

test.each(['one log in a thousand', 'a transaction', 'a block'])(
  'without a rule for the roots, the second node catches a node that hides %s, and the scan waits',
  async (what) => {
    const { refusal, differences } = await outcomeOf({ provesBlocks: false, nodes: 2 }, WHAT[what]?.() ?? {});
    expect([refusal, differences]).toEqual([expect.stringContaining('The nodes do not agree on a block'), []]);
  },
);

test.each(MISSING)('without a rule for the roots, the balances catch a single node that hides %s', async (what, missing) => {
  expect(await outcomeOf({ provesBlocks: false, nodes: 1 }, WHAT[what]?.() ?? {})).toEqual({
    ...ALL,
    proofs: ['OneNode'],
    ...missing,
  });
});

test('without a rule for the roots, the parents of the blocks catch a single node that hides a block', async () => {
  const { refusal, tokens, differences } = await outcomeOf({ provesBlocks: false, nodes: 1 }, WHAT['a block']?.() ?? {});
  expect(refusal).toMatch('The nodes do not have the parent of a block');
  expect([tokens < LOGS_PER_TRANSACTION, differences]).toEqual([true, []]);
});

test.each([
  ['the roots prove', true, 'Root'],
  ['two nodes prove', false, 'TwoNodes'],
] as const)('the balances catch a node that hides a call, although %s the block', async (_, provesBlocks, proof) => {
  const what = 'a call within a transaction';
  const [, missing] = MISSING[2];
  expect(await outcomeOf({ provesBlocks, nodes: 2 }, WHAT[what]?.() ?? {})).toEqual({ ...ALL, proofs: [proof], ...missing });
});
