import { CALL_FAILURES, isCallFailure } from '../../../chains/evm/call-failures';
import { createEvmGateway } from '../../../chains/evm/gateway';
import { ETHEREUM } from '../../../chains/evm/networks/ethereum';
import { createEvmReader } from '../../../chains/evm/reader';
import { rpcOptionsOf } from '../../../chains/network-settings';
import { networkOf } from '../../../chains/networks';
import { createRpc } from '../../../chains/rpc/rpc';
import type { TransferIntent } from '../../../chains/types';
import { byMethod, refusal, result, startFakeNode } from '../rpc/fake-node';
import { FAUCET, startAnvil } from './anvil';

const INTERNAL = -32_603;
const TO = '0x1a642f0E3c3aF545E7AcBD38b07251B3990914F1';
type FakeNode = Awaited<ReturnType<typeof startFakeNode>>;

const transferTo = (to: string, amountUnits = 1n): TransferIntent => ({
  network: 'EthereumSepolia',
  from: FAUCET,
  to,
  amountUnits,
  asset: { kind: 'Native' },
});

describe('a real node', () => {
  let chain: Awaited<ReturnType<typeof startAnvil>>;
  beforeAll(async () => {
    chain = await startAnvil();
  });
  afterAll(() => chain.stop());

  /** Deploys a contract whose code is exactly these bytes. */
  const contractOf = (code: string) => {
    const length = (code.length / 2).toString(16).padStart(2, '0');
    return chain.deploy(`0x60${length}600c60003960${length}6000f3${code}`);
  };

  test.each([
    ['an invalid opcode', 'fe', /InvalidFEOpcode/],
    ['an opcode that does not exist', '0c', /OpcodeNotFound/],
    ['an empty stack', '01', /StackUnderflow/],
    ['a jump to an invalid destination', '600356', /InvalidJump/],
    ['an endless loop', '5b600056', /out ?of ?gas|gas required exceeds allowance/i],
    ['a revert without a reason', '60006000fd', /execution reverted/],
  ])('reports %s: transfer and call fail, and the node stays in use', async (_what, code, words) => {
    const contract = await contractOf(code);
    const failed = { code: 'TransferWouldFail', retryable: false, message: expect.stringMatching(words) };
    await expect(chain.reader.feeTerms(transferTo(contract), 'Standard')).rejects.toMatchObject(failed);
    await expect(chain.reader.call(contract, '0x', 'body.contract')).rejects.toMatchObject({ code: 'CallReverted', status: 400 });
    expect(await chain.reader.nativeBalance(TO)).toBe(0n);
  });

  test('reports a balance that does not cover the amount', async () => {
    const intent = { ...transferTo(TO), from: TO };
    await expect(chain.reader.feeTerms(intent, 'Standard')).rejects.toMatchObject({ code: 'TransferWouldFail' });
  });
});

describe('nodes of other implementations', () => {
  let first: FakeNode;
  let second: FakeNode;
  const working = byMethod({
    eth_estimateGas: result('0x5208'),
    eth_call: result('0x01'),
    eth_feeHistory: result({ oldestBlock: '0x1', baseFeePerGas: ['0x1', '0x1'], reward: [] }),
    eth_getBalance: result('0xde0b6b3a7640000'),
  });
  beforeEach(async () => {
    first = await startFakeNode(working);
    second = await startFakeNode(working);
  });
  afterEach(() => Promise.all([first.stop(), second.stop()]));

  const failing = (code: number, message: string) =>
    byMethod({
      eth_estimateGas: refusal(code, message),
      eth_call: refusal(code, message),
      eth_feeHistory: result({ oldestBlock: '0x1', baseFeePerGas: ['0x1', '0x1'], reward: [] }),
      eth_getBalance: result('0xde0b6b3a7640000'),
    });
  const rpcOf = (nodes: readonly FakeNode[], readQuorum = 1) => {
    const options = rpcOptionsOf(ETHEREUM.EthereumSepolia, { EthereumSepolia: { readQuorum } });
    const { identity: _, ...unverified } = options;
    const urls = nodes.map(({ url }) => url);
    return createRpc('EthereumSepolia', urls, unverified);
  };
  const readerOf = (nodes: readonly FakeNode[], readQuorum = 1) =>
    createEvmReader(ETHEREUM.EthereumSepolia, rpcOf(nodes, readQuorum));
  const tried = (reader: ReturnType<typeof readerOf>) => reader.feeTerms(transferTo(TO), 'Standard');
  const methods = (node: FakeNode) => node.asked.map(({ method }) => method);

  const words = Object.entries(CALL_FAILURES).flatMap(([client, parts]) => parts.map((part) => [client, part] as const));
  test.each(words)(
    '%s reports "%s": the transfer would fail, no other node gets the request, and the node stays in use',
    async (_client, part) => {
      first.behave(failing(INTERNAL, `${part.toUpperCase()} (1234)`));
      const reader = readerOf([first, second]);
      await expect(tried(reader)).rejects.toMatchObject({ code: 'TransferWouldFail', retryable: false });
      await expect(reader.call(TO, '0x', 'body.contract')).rejects.toMatchObject({ code: 'CallReverted', status: 400 });
      await reader.nativeBalance(TO);
      expect(second.asked).toEqual([]);
    },
  );

  test.each([
    [3, 'anything that the contract says'],
    [-32_015, 'mv'],
    [-32_000, 'rpc error: code = Unknown desc = execution reverted: not today'],
    [-32_005, 'Transaction gas limit exceeds block gas limit'],
    [INTERNAL, 'EVM error: InvalidFEOpcode'],
    [INTERNAL, 'failed with 500000000 gas: insufficient funds for gas * price + value: address 0x00 have 0 want 1'],
  ])('code %d with "%s" is about the call', (code, message) => {
    expect(isCallFailure({ code, message })).toBe(true);
  });

  test.each([
    [-32_000, 'missing trie node 0a1b (path ) state 0x0c is not available'],
    [-32_000, 'header not found'],
    [-32_005, 'daily request count exceeded, request rate limited'],
    [-32_005, 'request rate exceeds the plan'],
    [INTERNAL, 'Internal error'],
    [INTERNAL, 'Timeout expired'],
    [INTERNAL, 'EVM error FatalExternalError'],
    [-32_601, 'the method eth_estimateGas does not exist'],
  ])('code %d with "%s" is not about the call', (code, message) => {
    expect(isCallFailure({ code, message })).toBe(false);
  });

  test('an unknown internal error is the node’s fault if another node has a result, and this other node is preferred afterwards', async () => {
    first.behave(failing(INTERNAL, 'something new'));
    const reader = readerOf([first, second]);
    expect((await tried(reader)).gas).toBe(21_000n);
    first.asked.splice(0);
    await tried(reader);
    expect(methods(first)).not.toContain('eth_estimateGas');
  });

  test('the same unknown internal error from two nodes is the call’s fault, and both nodes stay in use', async () => {
    for (const node of [first, second]) node.behave(failing(INTERNAL, 'something new'));
    const reader = readerOf([first, second]);
    await expect(tried(reader)).rejects.toMatchObject({
      code: 'TransferWouldFail',
      message: expect.stringMatching(/something new/),
    });
    first.asked.splice(0);
    await reader.nativeBalance(TO);
    expect(methods(first)).toEqual(['eth_getBalance']);
  });

  test.each([
    ['only one node', ['something new']],
    ['two nodes with different messages', ['something new', 'something else']],
  ])('an unknown internal error from %s causes NetworkUnavailable, and the nodes stay in use', async (_what, said) => {
    const nodes = [first, second].slice(0, said.length);
    for (const [at, node] of nodes.entries()) node.behave(failing(INTERNAL, said[at] ?? ''));
    const reader = readerOf(nodes);
    await expect(tried(reader)).rejects.toMatchObject({ code: 'NetworkUnavailable', retryable: true });
    await expect(reader.call(TO, '0x', 'body.contract')).rejects.toMatchObject({ code: 'NetworkUnavailable' });
    first.asked.splice(0);
    await reader.nativeBalance(TO);
    expect(methods(first)).toEqual(['eth_getBalance']);
  });

  test.each([
    ['already known', 'AlreadyKnown'],
    ['nonce too low: next nonce 5, tx nonce 4', 'NonceTooLow'],
    ['insufficient funds for gas * price + value', 'InsufficientFunds'],
    ['replacement transaction underpriced', 'Underpriced'],
    ['execution reverted', { kind: 'Rejected', reason: 'execution reverted' }],
  ])(
    '"%s" about signed bytes is recognised inside an internal error, and no other node gets the request',
    async (message, outcome) => {
      first.behave(byMethod({ eth_sendRawTransaction: refusal(INTERNAL, message), eth_getTransactionByHash: result(null) }));
      const gateway = createEvmGateway(networkOf('EthereumSepolia'), rpcOf([first, second]), []);
      expect(await gateway.broadcast('0x00', `0x${'1'.repeat(64)}`)).toEqual(outcome);
      expect(second.asked).toEqual([]);
    },
  );

  test('where nodes must agree, a refusal outweighs an internal error, and an internal error contradicts a result', async () => {
    first.behave(failing(INTERNAL, 'something new'));
    second.behave(failing(-32_000, 'execution reverted'));
    const ask = () => readerOf([first, second], 2).call(TO, '0x', 'body.contract');
    await expect(ask()).rejects.toMatchObject({ code: 'CallReverted' });
    second.behave(failing(INTERNAL, 'something new'));
    await expect(ask()).rejects.toMatchObject({ code: 'CallReverted' });
    second.behave(working);
    await expect(ask()).rejects.toMatchObject({ code: 'NetworkUnavailable' });
  });

  test('if a node has lost its state, a token is not reported as unsupported', async () => {
    first.behave(failing(-32_000, 'missing trie node'));
    await expect(readerOf([first]).tokenBalance(TO, TO)).rejects.toMatchObject({ code: 'NetworkUnavailable' });
    first.behave(failing(-32_000, 'execution reverted'));
    await expect(readerOf([first]).tokenBalance(TO, TO)).rejects.toMatchObject({ code: 'AssetNotSupported' });
  });
});
