import { z } from 'zod';
import { inFamily } from '../../../chains/families';
import { networkOf } from '../../../chains/networks';
import { observedRpc } from '../../../chains/rpc/observed-rpc';
import { createRpc, Quantity, type Rpc, RpcError, type RpcOptions } from '../../../chains/rpc/rpc';
import { createSolanaReader } from '../../../chains/solana/reader';
import { createUtxoGateway } from '../../../chains/utxo/gateway';
import { createUtxoReader } from '../../../chains/utxo/reader';
import { byMethod, refusal, result, silence, startFakeNode, text } from './fake-node';

const TIMEOUT_MS = 1_500;
const SCRIPT = `0014${'11'.repeat(20)}`;
const TWO_OF = { timeoutMs: TIMEOUT_MS, readQuorum: 2, headsApart: 2 };
const IDENTITY = { method: 'eth_chainId', params: [], expected: '0x1' };
type FakeNode = Awaited<ReturnType<typeof startFakeNode>>;

let nodes: FakeNode[];
beforeEach(async () => {
  nodes = await Promise.all(['0xa', '0xa', '0xa'].map((height) => startFakeNode(result(height))));
});
afterEach(() => Promise.all(nodes.map((node) => node.stop())));

const nodeAt = (at: number): FakeNode => {
  const node = nodes[at];
  if (!node) throw new Error(`there is no node ${at}`);
  return node;
};
const rpcOf = (options: RpcOptions, count = 3) =>
  createRpc(
    'EthereumSepolia',
    nodes.slice(0, count).map(({ url }) => url),
    options,
  );
const balance = (rpc: Rpc) => rpc('eth_getBalance', ['0x00', 'latest'], Quantity);
const head = (rpc: Rpc) => rpc('eth_blockNumber', [], Quantity);
const asked = () => nodes.map((node) => node.asked.length);

test('two nodes that agree are enough, and a request that is not about money goes to one node', async () => {
  const rpc = rpcOf(TWO_OF);
  expect(await balance(rpc)).toBe(10n);
  expect(asked()).toEqual([1, 1, 0]);
  await rpc('eth_feeHistory', [], Quantity);
  await rpc('eth_getTransactionCount', ['0x00', 'pending'], Quantity);
  expect(asked()).toEqual([3, 1, 0]);
});

test('where two nodes must agree, requests about money fail with a single node, and all other requests succeed', async () => {
  const rpc = rpcOf(TWO_OF, 1);
  for (const times of [1, 2]) {
    await expect(balance(rpc)).rejects.toMatchObject({ code: 'NetworkUnavailable' });
    expect(asked()).toEqual([times, 0, 0]);
  }
  expect(await rpc('eth_feeHistory', [], Quantity)).toBe(10n);
});

test.each<[string, () => void]>([
  ['lies about a balance', () => nodeAt(1).behave(result('0xb'))],
  ['refuses a request that another node serves', () => nodeAt(1).behave(refusal(-32000, 'missing trie node'))],
])('a node that %s is not outvoted: the request fails, and the metrics count the disagreement', async (_what, lie) => {
  lie();
  const outcomes: string[] = [];
  const rpc = observedRpc('EthereumSepolia', rpcOf(TWO_OF), ({ outcome }) => outcomes.push(outcome));
  await expect(balance(rpc)).rejects.toMatchObject({ code: 'NetworkUnavailable', retryable: true });
  expect(outcomes).toEqual(['Disagreed']);
});

test('a receipt that only one node has is not accepted', async () => {
  nodeAt(1).behave(result(null));
  const receipt = rpcOf(TWO_OF)('eth_getTransactionReceipt', ['0x00'], z.string().nullable());
  await expect(receipt).rejects.toMatchObject({
    message: 'The nodes of EthereumSepolia do not agree on eth_getTransactionReceipt',
  });
});

test('nodes of Solana agree if their values are equal, even at different slots', async () => {
  const reader = createSolanaReader('SolanaDevnet', rpcOf(TWO_OF, 2));
  const at = (slot: number, value: unknown) => result({ context: { slot }, value });
  const account = { lamports: 5, owner: '11111111111111111111111111111111', data: ['AAE=', 'base64'] };
  nodeAt(0).behave(at(7, [account]));
  nodeAt(1).behave(at(9, [account]));
  expect(await reader.accounts([account.owner])).toMatchObject([{ lamports: 5n }]);
  nodeAt(1).behave(at(7, [{ ...account, data: ['AAI=', 'base64'] }]));
  await expect(reader.accounts([account.owner])).rejects.toMatchObject({ code: 'NetworkUnavailable' });
  for (const [index, lamports] of [5, 6].entries()) nodeAt(index).behave(at(7, lamports));
  await expect(reader.nativeBalance(account.owner)).rejects.toMatchObject({ code: 'NetworkUnavailable' });
});

describe('coins of an address on the Bitcoin family', () => {
  const coin = (digit: string, amount: number, confirmations: number) => ({
    ...{ txid: digit.repeat(64), vout: 0, scriptPubKey: SCRIPT, amount, confirmations },
  });
  const tellings = (coins: readonly object[], labels: readonly string[] = ['strongroom']) =>
    byMethod({
      decodescript: result({ address: 'node-form' }),
      getaddressinfo: result({ labels }),
      getwalletinfo: result({ descriptors: false }),
      importmulti: result([{ success: true }]),
      setlabel: result(null),
      listunspent: result(coins),
      gettransaction: result({ txid: 'd'.repeat(64), hex: '00', fee: -0.1, confirmations: 0 }),
    });
  const network = inFamily('utxo', networkOf('BitcoinSignet'));
  const reader = () => {
    const rpc = rpcOf(TWO_OF, 2);
    return createUtxoReader({ network, codec: { scriptOf: () => SCRIPT }, rpc, patientRpc: rpc });
  };

  test('are the coins that both nodes report, at any depth, even before a block includes them', async () => {
    nodeAt(0).behave(tellings([coin('a', 1, 3), coin('b', 2, 1), coin('c', 3, 0), coin('d', 4, 0)]));
    nodeAt(1).behave(tellings([coin('b', 2, 2), coin('d', 4, 0), coin('a', 1, 4)]));
    expect((await reader().coins('any')).map(({ txid }) => txid[0])).toEqual(['a', 'b', 'd']);
  });

  test.each([
    ['lists an additional coin', [coin('a', 1, 3), coin('b', 2, 1)]],
    ['omits a coin', []],
    ['reports a different amount', [coin('a', 2, 3)]],
    ['reports a coin as unconfirmed', [coin('a', 1, 0)]],
  ])('are not accepted if one node %s', async (_what, coins) => {
    nodeAt(0).behave(tellings([coin('a', 1, 3)]));
    nodeAt(1).behave(tellings(coins));
    await expect(reader().coins('any')).rejects.toMatchObject({
      code: 'NetworkUnavailable',
      message: 'The nodes of EthereumSepolia do not agree on listunspent',
    });
  });

  test('are requested only after all nodes watch the address', async () => {
    nodeAt(0).behave(tellings([coin('a', 1, 3)]));
    nodeAt(1).behave(tellings([coin('a', 1, 3)], []));
    expect(await reader().coins('any')).toHaveLength(1);
    for (const node of nodes.slice(0, 2)) {
      const methods = node.asked.map(({ method }) => method);
      expect(methods.indexOf('importmulti')).toBeGreaterThan(0);
      expect(methods.indexOf('setlabel')).toBeGreaterThan(methods.indexOf('importmulti'));
    }
  });
});

describe('the standing of a transaction of the Bitcoin family', () => {
  const TXID = 'ab'.repeat(32);
  const BLOCK = 'cd'.repeat(32);
  const UNKNOWN = refusal(-5, 'Invalid or non-wallet transaction id');
  const network = inFamily('utxo', networkOf('BitcoinSignet'));
  const included = (confirmations: number, changes: object = {}) => ({
    confirmations,
    blockhash: BLOCK,
    blockheight: 9,
    ...changes,
  });
  const waiting = { confirmations: 0 };
  const beaten = (blocks: number) => ({ confirmations: -blocks });
  type Telling = object | 'unknown';
  const tell = (at: number, told: Telling) =>
    nodeAt(at).behave(
      told === 'unknown'
        ? UNKNOWN
        : byMethod({
            getblockheader: result({ hash: BLOCK, height: 9 }),
            gettransaction: result({ txid: TXID, hex: '00', fee: -0.1, ...told }),
          }),
    );
  const tellings = (one: Telling, other: Telling) => {
    tell(0, one);
    tell(1, other);
    const rpc = rpcOf(TWO_OF, 2);
    const reader = createUtxoReader({ network, codec: { scriptOf: () => SCRIPT }, rpc, patientRpc: rpc });
    return { gateway: createUtxoGateway(network, rpc, []), reader };
  };
  /** The same two replies, with either node first. */
  const bothWays = (one: Telling, other: Telling) => [tellings.bind(null, one, other), tellings.bind(null, other, one)];

  test.each<[string, Telling, Telling]>([
    ['is in a block for one node, deeper than heads may differ', included(3), waiting],
    ['is deep in a block for one node and unknown to the other', included(3), 'unknown'],
    ['is in different blocks', included(2), included(2, { blockhash: 'ef'.repeat(32) })],
    ['is at different heights', included(2), included(2, { blockheight: 10 })],
    ['is double-spent for one node and in a block for the other', beaten(1), included(1)],
    ['differs in depth by more than heads may differ', included(9), included(6)],
  ])('is not accepted if it %s', async (_what, one, other) => {
    for (const telling of bothWays(one, other))
      await expect(telling().gateway.receipts([TXID])).rejects.toMatchObject({
        ...{ code: 'NetworkUnavailable', retryable: true },
        message: 'The nodes of EthereumSepolia do not agree on gettransaction',
      });
  });

  test.each<[string, Telling, Telling]>([
    ['its bytes', waiting, { ...waiting, hex: '01' }],
    ['whether the wallet paid it', waiting, { ...waiting, fee: undefined }],
    ['whether it was double-spent', beaten(1), included(1)],
  ])('is not accepted if the nodes disagree about %s', async (_what, one, other) => {
    for (const telling of bothWays(one, other))
      for (const ask of [() => telling().reader.previousTransactions([TXID]), () => telling().reader.standing(TXID)])
        await expect(ask()).rejects.toMatchObject({ code: 'NetworkUnavailable' });
  });

  test.each<[string, Telling, Telling, boolean]>([
    ['reports a greater depth', included(3), included(5), true],
    ['omits the height', included(3, { blockheight: undefined }), included(3), true],
    ['has the transaction in the newest block', waiting, included(2), false],
    ['has the transaction as unconfirmed, and the other node does not have it', waiting, 'unknown', false],
    ['has the transaction in the newest block, and the other node does not have it', included(1), 'unknown', false],
    ['saw a double spend, and the other node does not have the transaction', beaten(4), 'unknown', false],
    ['saw a double spend, and the transaction is waiting at the other node', beaten(4), waiting, false],
  ])('is the state that both nodes confirm if one node %s', async (_what, one, other, isIncluded) => {
    for (const telling of bothWays(one, other)) {
      const receipt = (await telling().gateway.receipts([TXID])).get(TXID);
      expect(receipt?.blockHash).toBe(isIncluded ? BLOCK : undefined);
    }
  });

  test('is Beaten at the lower of two depths of a double spend, and the head of the chain is the lower of two heads', async () => {
    expect(await tellings(beaten(4), beaten(2)).reader.standing(TXID)).toEqual({ kind: 'Beaten' });
    for (const [at, height] of [8, 9].entries())
      nodeAt(at).behave(byMethod({ getblockcount: result(height), getblockhash: result(BLOCK) }));
    expect(await createUtxoGateway(network, rpcOf(TWO_OF, 2), []).head()).toEqual({ height: 8, hash: BLOCK });
  });
});

test('the lower of two heads is used if they are within the limit, and heads further apart are a disagreement', async () => {
  nodeAt(1).behave(result('0x8'));
  expect(await head(rpcOf(TWO_OF))).toBe(8n);
  nodeAt(1).behave(result('0x7'));
  await expect(head(rpcOf(TWO_OF))).rejects.toMatchObject({ code: 'NetworkUnavailable' });
});

test.each<[string, ReturnType<typeof text>]>([
  ['does not reply', silence],
  ['returns 500', text(500, '{}')],
])('a node that %s is replaced by the next node, and the request fails when too few nodes are left', async (_what, behaviour) => {
  nodeAt(0).behave(behaviour);
  expect(await balance(rpcOf(TWO_OF))).toBe(10n);
  await expect(balance(rpcOf(TWO_OF, 2))).rejects.toThrow(': 2 nodes must agree');
});

test('a request that all nodes refuse is refused', async () => {
  for (const node of nodes) node.behave(refusal(-32000, 'execution reverted'));
  const refused = rpcOf(TWO_OF)('eth_call', [], Quantity);
  await expect(refused).rejects.toBeInstanceOf(RpcError);
});

test('a node on another chain is skipped, even if it was down before', async () => {
  const onChain = (chainId: string) => byMethod({ eth_chainId: result(chainId), eth_blockNumber: result(chainId) });
  nodeAt(0).behave(text(500, ''));
  nodeAt(1).behave(onChain('0x2'));
  nodeAt(2).behave(onChain('0x1'));
  expect(await head(rpcOf({ timeoutMs: TIMEOUT_MS, identity: IDENTITY }))).toBe(1n);
  expect(nodeAt(1).asked.map(({ method }) => method)).toEqual(['eth_chainId']);

  const rpc = rpcOf({ timeoutMs: TIMEOUT_MS, identity: IDENTITY }, 1);
  await expect(head(rpc)).rejects.toMatchObject({ code: 'NetworkUnavailable' });
  nodeAt(0).behave(onChain('0x2'));
  await expect(head(rpc)).rejects.toMatchObject({ code: 'NetworkUnavailable' });
  nodeAt(0).behave(onChain('0x1'));
  expect(await head(rpc)).toBe(1n);
});

test('a node that failed does not get requests for a while', async () => {
  nodeAt(0).behave(text(500, ''));
  nodeAt(1).behave(text(500, ''));
  const rpc = rpcOf({ timeoutMs: TIMEOUT_MS });
  await head(rpc);
  await head(rpc);
  expect(asked()).toEqual([1, 1, 2]);
  // The failed nodes get the request anyway if no other node is left.
  nodeAt(2).behave(text(500, ''));
  await expect(head(rpc)).rejects.toMatchObject({ code: 'NetworkUnavailable' });
  expect(asked()).toEqual([2, 2, 3]);
});

test('requests above the rate limit of a node go to the next node', async () => {
  const rpc = rpcOf({ timeoutMs: TIMEOUT_MS, requestsPerSecond: 2 }, 2);
  await Promise.all([1, 2, 3].map(() => head(rpc)));
  await head(rpc);
  expect(asked()[1]).toBeGreaterThan(0);
  expect((asked()[0] ?? 0) + (asked()[1] ?? 0)).toBe(4);
});
