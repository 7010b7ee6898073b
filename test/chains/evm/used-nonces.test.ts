import { createUsedNonces } from '../../../chains/evm/used-nonces';
import { type Rpc, RpcError } from '../../../chains/rpc/rpc';

const SIGNED = { txHash: `0x${'1'.repeat(64)}`, rawHex: '0x02', fromAddress: '0xabc', nonce: 7, context: null };
const CONFIRMATIONS = 3;

type Node = { head: number; countAt: (block: number) => number; receipt: object | null };

const rpcOf =
  (node: Node): Rpc =>
  async (method, params, result) => {
    const answers: Readonly<Record<string, () => unknown>> = {
      eth_blockNumber: () => `0x${node.head.toString(16)}`,
      eth_getTransactionCount: () => `0x${node.countAt(Number(params[1])).toString(16)}`,
      eth_getTransactionReceipt: () => node.receipt,
    };
    return result.parse(answers[method]?.());
  };
/** A node on whose chain somebody used the nonce in this block. */
const used = (block: number): Node => ({ head: 20, countAt: (at) => (at >= block ? 8 : 7), receipt: null });

const looks = async (...nodes: readonly Node[]) => {
  const whyNever = createUsedNonces(nodes.map(rpcOf), CONFIRMATIONS);
  return [await whyNever(SIGNED), await whyNever(SIGNED)];
};
const foreign = { isForeign: true, reason: expect.stringMatching(/not signed here/) };

test.each<[string, readonly Node[], unknown]>([
  ['used in a final block, which two looks say', [used(18)], foreign],
  ['used in a block that is not final', [used(19)], undefined],
  ['not used', [used(99)], undefined],
  ['used by these very bytes', [{ ...used(10), receipt: {} }], undefined],
  ['used, as one of two nodes says', [used(10), used(99)], undefined],
  ['used, as two nodes say', [used(10), used(18)], foreign],
  ['used, as nobody says', [], undefined],
])('a nonce that is %s', async (_what, nodes, told) => {
  expect(await looks(...nodes)).toEqual([undefined, told]);
});

test('a node that has forgotten the state of the block proves nothing', async () => {
  const whyNever = createUsedNonces([() => Promise.reject(new RpcError(-32000, 'missing trie node'))], CONFIRMATIONS);
  expect([await whyNever(SIGNED), await whyNever(SIGNED)]).toEqual([undefined, undefined]);
});
