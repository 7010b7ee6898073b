import { createUsedNonces } from '../../../chains/evm/used-nonces';
import { type Rpc, RpcError } from '../../../chains/rpc/rpc';

const SIGNED = { txHash: `0x${'1'.repeat(64)}`, rawHex: '0x02', fromAddress: '0xabc', nonce: 7, context: null };
const CONFIRMATIONS = 3;

/** A transaction in a lane, the separate nonce sequence of nonce key 3. */
const KEYED = {
  ...SIGNED,
  fromAddress: '0x1a642f0E3c3aF545E7AcBD38b07251B3990914F1',
  nonce: null,
  context: { nonceKey: '3', keyedNonce: 7 },
};

type Node = { head: number; countAt: (block: number) => number; keyedAt?: (block: number) => number; receipt: object | null };

const rpcOf =
  (node: Node): Rpc =>
  async (method, params, result) => {
    const answers: Readonly<Record<string, () => unknown>> = {
      eth_blockNumber: () => `0x${node.head.toString(16)}`,
      eth_getTransactionCount: () => `0x${node.countAt(Number(params[1])).toString(16)}`,
      eth_call: () => `0x${(node.keyedAt ?? node.countAt)(Number(params[1])).toString(16).padStart(64, '0')}`,
      eth_getTransactionReceipt: () => node.receipt,
    };
    return result.parse(answers[method]?.());
  };
/** A node on a chain where this block used the nonce. */
const used = (block: number): Node => ({ head: 20, countAt: (at) => (at >= block ? 8 : 7), receipt: null });

const looks = async (nodes: readonly Node[], signed: typeof SIGNED | typeof KEYED = SIGNED) => {
  const whyNever = createUsedNonces('TempoModerato', nodes.map(rpcOf), CONFIRMATIONS);
  return [await whyNever(signed), await whyNever(signed)];
};
const foreign = { isForeign: true, reason: expect.stringMatching(/not signed here/) };

test.each<[string, readonly Node[], unknown]>([
  ['used in a final block', [used(18)], foreign],
  ['used in a block that is not final', [used(19)], undefined],
  ['not used', [used(99)], undefined],
  ['used by exactly these bytes', [{ ...used(10), receipt: {} }], undefined],
  ['used according to one of two nodes', [used(10), used(99)], undefined],
  ['used according to two nodes', [used(10), used(18)], foreign],
  ['unknown, because no node gets the request', [], undefined],
])('the second check decides about a nonce that is %s', async (_what, nodes, told) => {
  expect(await looks(nodes)).toEqual([undefined, told]);
});

test('a nonce in a keyed lane is used only if the nonce count of this lane shows it', async () => {
  expect(await looks([used(18)], KEYED)).toEqual([undefined, foreign]);
  expect(await looks([{ ...used(18), keyedAt: () => 7 }], KEYED)).toEqual([undefined, undefined]);
});

test('a node that no longer has the state of the block does not prove that a nonce is used', async () => {
  const whyNever = createUsedNonces(
    'TempoModerato',
    [() => Promise.reject(new RpcError(-32000, 'missing trie node'))],
    CONFIRMATIONS,
  );
  expect([await whyNever(SIGNED), await whyNever(SIGNED)]).toEqual([undefined, undefined]);
});
