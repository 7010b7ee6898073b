import { encodeFunctionData, parseAbi } from 'viem/utils';
import { evmBodies } from '../../../../../application/bodies/evm/bodies';
import { NETWORKS } from '../../../../../chains/networks';
import type { NetworkName } from '../../../../../domain/networks';
import { answerTo, freePlaces, isRefused } from '../changes';
import { SPONSOR, transactionRow } from '../requested-orders';
import { bytesOf, evmOrder, FREE_IN_ORDER, FROM, ownAuthorization, sponsoredOrder, TO, TOKEN, walletOn } from './evm-orders';

const cause = 'broadcastTransaction';
const CUSD = '0x874069Fa1Eb16D44d622F2e0Ca25eeA172369bC1';
const prices = { maxFeePerGas: '3000000000', maxPriorityFeePerGas: '0x3b9aca00' };
const accessList = [{ address: TOKEN, storageKeys: [`0x${'A1'.repeat(32)}`] }];
const tokenData = `0xa9059cbb${TO.slice(2).toLowerCase().padStart(64, '0')}${'5'.padStart(64, '0')}`;
const transaction = (members: object) => ({ kind: 'Transaction', transaction: members, externalId: 'raw-1' });

const SEPOLIA = 'EthereumSepolia';
const SAMPLES: readonly (readonly [string, NetworkName, object, nonce: number])[] = [
  ['Eip1559', SEPOLIA, { kind: 'Eip1559', to: TO, value: '0x0f', data: 'aBcd', nonce: 9, gasLimit: '90000', ...prices }, 9],
  ['Evm', SEPOLIA, { kind: 'Evm', to: TOKEN.toLowerCase(), data: tokenData, externalId: 'raw-2' }, 4],
  ['type 0', SEPOLIA, transaction({ type: 0, to: TO, value: 7, gasPrice: '4000000000', gasLimit: 21_000 }), 4],
  ['type 1', SEPOLIA, transaction({ type: '0x1', to: TO, accessList, gasPrice: '4000000000', nonce: '0x4' }), 4],
  ['type 2', SEPOLIA, transaction({ from: FROM, chainId: 11_155_111, to: TO, value: '007', accessList, gasLimit: '0x15f90' }), 4],
  ['type 4', SEPOLIA, transaction({ type: 4, to: TO, value: 3, authorizationList: [ownAuthorization(8)] }), 7],
  ['Celo', 'CeloAlfajores', transaction({ type: 123, to: TO, feeCurrency: CUSD, accessList, gasLimit: 71_000, ...prices }), 4],
  ['Tempo', 'TempoModerato', transaction({ type: '0x76', to: CUSD, data: tokenData, nonceKey: 3, nonce: 2 }), 2],
  ['a network with one price', 'EthereumClassicMordor', transaction({ to: TO, value: '12', gasPrice: 5 }), 4],
];
const OPEN = 'nonce|gasLimit|gasPrice|maxFeePerGas|maxPriorityFeePerGas|chainId|from';
/** The service fills in a member that the body leaves open. */
const free = (path: string) =>
  new RegExp(`^order\\.(${FREE_IN_ORDER.join('|')}|nonce( dropped)?$|network|intent\\.from)`).test(path) ||
  new RegExp(`^body\\.(transaction\\.)?(${OPEN}) dropped$`).test(path);

async function sampleOf(network: NetworkName, body: object, nonce: number) {
  const row = transactionRow(walletOn(network), body as Record<string, unknown>);
  const bytesHex = bytesOf(row, nonce);
  return { op: 'signTransfer', order: await evmOrder(row, nonce, bytesHex), cause, body } as const;
}

describe.each(SAMPLES)('%s', (_what, network, body, nonce) => {
  test('the worker’s order is accepted, and every changed member is refused', async () => {
    const asked = await sampleOf(network, body, nonce);
    expect(answerTo(asked)).toEqual({ feeSponsorId: null });
    // For a type that only some networks have, the signer sees only the product of gas and price.
    const unseen = (path: string) => network === 'CeloAlfajores' && path === 'body.transaction.maxPriorityFeePerGas';
    expect(freePlaces(asked).filter((path) => !free(path) && !unseen(path))).toEqual([]);
  });

  test('as bytes, the worker’s order is accepted, and every change is refused', async () => {
    const { order } = await sampleOf(network, body, nonce);
    for (const bytes of [order.bytesHex, order.bytesHex.slice(2).toUpperCase()]) {
      const asked = await sampleOf(network, { kind: 'Transaction', transaction: bytes }, nonce);
      expect(asked.order.bytesHex).toBe(order.bytesHex);
      expect(freePlaces(asked).filter((path) => !free(path))).toEqual([]);
      expect(isRefused({ ...asked, order: { ...asked.order, nonce: nonce + 1 } })).toBe(true);
    }
  });
});

test('if the body specifies a nonce, the order must have this nonce', async () => {
  for (const [, network, body, nonce] of SAMPLES.filter(([, , one]) => /nonce":|authorizationList/.test(JSON.stringify(one)))) {
    const asked = await sampleOf(network, body, nonce);
    expect(isRefused({ ...asked, order: { ...asked.order, nonce: nonce + 1 } })).toBe(true);
  }
});

test('if a body does not specify a type, the signer expects the type that the service chooses, on every network', async () => {
  for (const { name, family } of Object.values(NETWORKS)) {
    if (family !== 'evm') continue;
    const asked = await sampleOf(name, { kind: 'Transaction', transaction: { to: TO, data: '0xab' } }, 4);
    expect([name, isRefused(asked)]).toEqual([name, false]);
  }
});

test('a contract may be written with the prefix of its network', async () => {
  const abi = { type: 'function', name: 'go', stateMutability: 'nonpayable', inputs: [], outputs: [] };
  const body = { kind: 'FunctionCall', call: { contract: `xdc${TOKEN.slice(2)}`, abi } };
  expect(isRefused(await sampleOf('XdcApothem', body, 4))).toBe(false);
  const { order } = await sampleOf(SEPOLIA, { ...body, call: { contract: TOKEN, abi } }, 4);
  expect(isRefused({ op: 'signTransfer', order, cause, body })).toBe(true);
});

test('if the body does not specify a nonce, any nonce is accepted', async () => {
  const asked = await sampleOf(SEPOLIA, { kind: 'Evm', to: TO, value: '1' }, 4);
  expect(isRefused({ ...asked, order: { ...asked.order, nonce: 12 } })).toBe(false);
});

test('neither gas nor price may differ from those of the body', async () => {
  const body = { kind: 'Eip1559', to: TO, gasLimit: '90000', ...prices };
  const row = transactionRow(walletOn(SEPOLIA), body);
  const asked = { op: 'signTransfer', order: await evmOrder(row, 4, bytesOf(row, 4)), cause, body } as const;
  for (const dearer of [{ gasLimit: '90001' }, { maxFeePerGas: '3000000001' }, { maxPriorityFeePerGas: '1000000001' }]) {
    const other = transactionRow(walletOn(SEPOLIA), { ...body, ...dearer });
    expect(isRefused({ ...asked, order: { ...asked.order, bytesHex: bytesOf(other, 4) } })).toBe(true);
  }
  expect(isRefused({ ...asked, order: { ...asked.order, bytesHex: '0xff' } })).toBe(true);
});

test('if the body contains bytes, the order must have exactly these bytes', async () => {
  const body = { kind: 'Eip1559', to: TO, nonce: 4, gasLimit: '90000', ...prices };
  const { order } = await sampleOf(SEPOLIA, body, 4);
  const dearer = await sampleOf(SEPOLIA, { ...body, maxFeePerGas: '3000000001' }, 4);
  const asked = { op: 'signTransfer', order, cause, body: { kind: 'Transaction', transaction: order.bytesHex } } as const;
  expect(isRefused(asked)).toBe(false);
  expect(isRefused({ ...asked, order: { ...order, bytesHex: dearer.order.bytesHex } })).toBe(true);
});

const FILL = {
  type: 'function',
  name: 'fill',
  stateMutability: 'payable',
  inputs: [
    {
      name: 'order',
      type: 'tuple',
      components: [
        { name: 'maker', type: 'address' },
        { name: '', type: 'int24[2][]' },
      ],
    },
    { name: 'note', type: 'string', internalType: 'string' },
    { name: 'proof', type: 'bytes' },
    { name: 'last', type: 'bool' },
    { name: 'tag', type: 'bytes4' },
  ],
  outputs: [{ name: '', type: 'uint256' }],
};
const calldata = {
  order: {
    maker: TO,
    1: [
      ['-8388608', 7],
      ['0x2', '01'],
    ],
  },
  note: 'é',
  proof: '0xABcd',
  last: true,
  tag: '0x11223344',
};

test('a function call: the worker’s order is accepted, and every change of the call is refused', async () => {
  const body = { kind: 'FunctionCall', call: { contract: TOKEN, abi: FILL, calldata, value: '12' }, externalId: 'call-1' };
  const asked = await sampleOf(SEPOLIA, body, 4);
  expect(answerTo(asked)).toEqual({ feeSponsorId: null });
  // The results of a function and the names that the compiler adds are not part of a call.
  const beside = (path: string) => /^body\.call\.abi\.(outputs|inputs\.\d\.internalType)/.test(path);
  expect(freePlaces(asked).filter((path) => !free(path) && !beside(path))).toEqual([]);
});

test('only a payable function accepts a value, and a view function accepts no transaction', async () => {
  const body = { kind: 'FunctionCall', call: { contract: TOKEN, abi: FILL, calldata, value: '12' } };
  const asked = await sampleOf(SEPOLIA, body, 4);
  for (const stateMutability of ['nonpayable', 'view', 'pure'])
    expect(isRefused({ ...asked, body: { ...body, call: { ...body.call, abi: { ...FILL, stateMutability } } } })).toBe(true);
});

test('a function call with the data of a token transfer moves the token', async () => {
  const abi = {
    ...{ type: 'function', name: 'transfer', stateMutability: 'nonpayable', outputs: [] },
    inputs: [
      { name: 'to', type: 'address' },
      { name: '', type: 'uint256' },
    ],
  };
  const asked = await sampleOf(
    SEPOLIA,
    { kind: 'FunctionCall', call: { contract: TOKEN, abi, calldata: { to: TO, 1: '5' } } },
    4,
  );
  expect(asked.order.intent).toMatchObject({ asset: { kind: 'Erc20', contract: TOKEN }, to: TO, amountUnits: '5' });
  expect(isRefused(asked)).toBe(false);
});

const approve = encodeFunctionData({ abi: parseAbi(['function approve(address, uint256)']), args: [TO, 9n] });
const OPERATIONS: readonly (readonly [string, readonly object[], tokens: readonly string[]])[] = [
  [
    'coins',
    [
      { to: TO, value: '007' },
      { to: TOKEN.toLowerCase(), value: '1' },
    ],
    [],
  ],
  [
    'a known token',
    [
      { to: TOKEN, data: tokenData },
      { to: TOKEN, data: tokenData.slice(2).toUpperCase() },
    ],
    [TOKEN],
  ],
  ['an unknown token', [{ to: TOKEN, data: tokenData }], []],
  [
    'a known token and coins',
    [
      { to: TOKEN, data: tokenData },
      { to: TO, value: '3' },
    ],
    [TOKEN],
  ],
  [
    'an unknown token and a known one',
    [
      { to: CUSD, data: tokenData },
      { to: TOKEN, data: tokenData },
    ],
    [TOKEN],
  ],
  [
    'an approval and coins',
    [
      { to: TOKEN, data: approve },
      { to: TO, value: '3' },
    ],
    [],
  ],
];

test.each(OPERATIONS)(
  'calls with %s: the worker’s order is accepted, and every changed member is refused',
  async (_what, calls, tokens) => {
    const body = { kind: 'UserOperations', userOperations: calls, feeSponsorId: SPONSOR, externalId: 'ops-1' };
    const known = { terms: { family: 'evm-operation', call: [], tokens } } as const;
    const order = await sponsoredOrder(transactionRow(walletOn(SEPOLIA), body, known));
    const asked = { op: 'signSponsored', order, cause, body } as const;
    expect(answerTo(asked)).toEqual({ feeSponsorId: SPONSOR });
    const beside = (path: string) =>
      free(path) || /^order\.(sponsor( dropped)?$|part)/.test(path) || path === 'body.feeSponsorId';
    expect(freePlaces(asked).filter((path) => !beside(path))).toEqual([]);
  },
);

test('calls that move two tokens are not a transfer of one of the tokens', async () => {
  const userOperations = [CUSD, TOKEN].map((to) => ({ to, data: tokenData }));
  const body = { kind: 'UserOperations', userOperations, feeSponsorId: SPONSOR };
  const order = await sponsoredOrder(transactionRow(walletOn(SEPOLIA), body));
  const moving = (contract: string, amountUnits: string) => {
    const intent = { ...order.intent, asset: { kind: 'Erc20' as const, contract }, to: TO, amountUnits };
    return isRefused({ op: 'signSponsored', order: { ...order, intent }, cause, body });
  };
  for (const contract of [CUSD, TOKEN]) for (const amountUnits of ['5', '10']) expect(moving(contract, amountUnits)).toBe(true);
});

test('an order with an additional member is refused', async () => {
  const encrypted = { handle: `0x${'11'.repeat(32)}`, inputProof: '0x22' };
  const raw = await sampleOf(SEPOLIA, { kind: 'Evm', to: TO, value: '1' }, 4);
  const body = { kind: 'UserOperations', userOperations: [{ to: TO, value: '1' }], feeSponsorId: SPONSOR };
  const order = await sponsoredOrder(transactionRow(walletOn(SEPOLIA), body));
  for (const more of [{ encrypted }, { replaces: 'tr-0' }]) {
    expect(isRefused({ ...raw, order: { ...raw.order, ...more } })).toBe(true);
    expect(isRefused({ op: 'signSponsored', order: { ...order, ...more }, cause, body })).toBe(true);
  }
});

test('this file has a body for every kind of raw transaction on EVM networks', () => {
  const kinds = evmBodies.transactions.map(({ shape }) => shape.kind.value);
  const here = [...SAMPLES.map(([, , body]) => (body as { kind: string }).kind), 'FunctionCall', 'UserOperations', 'Transaction'];
  expect([...new Set(here)].sort()).toEqual([...kinds, 'Transaction'].sort());
});

test('a request for sponsored calls does not permit a plain transaction of the wallet, and vice versa', async () => {
  const raw = await sampleOf(SEPOLIA, { kind: 'Evm', to: TO, value: '1' }, 4);
  const body = { kind: 'UserOperations', userOperations: [{ to: TO, value: '1' }], feeSponsorId: SPONSOR };
  const order = await sponsoredOrder(transactionRow(walletOn(SEPOLIA), body));
  expect(isRefused({ ...raw, body })).toBe(true);
  expect(isRefused({ op: 'signSponsored', order, cause, body: raw.body })).toBe(true);
});
