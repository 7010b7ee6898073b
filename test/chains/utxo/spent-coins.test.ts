import { type Rpc, RpcError } from '../../../chains/rpc/rpc';
import { createSpentCoins } from '../../../chains/utxo/spent-coins';

const [OURS, PARENT] = ['1'.repeat(64), '2'.repeat(64)];
const SIGNED = { txHash: OURS, rawHex: '02', fromAddress: 'tb1q', nonce: null, context: null };
const CONFIRMATIONS = 3;

type Node = {
  head: number;
  /** The confirmations of our transaction in the wallet; undefined if the wallet does not have the transaction. */
  ours: number | undefined;
  parent: number;
  coin: object | null;
};

const rpcOf =
  (node: Node): Rpc =>
  async (method, params, result) => {
    const confirmations = params[0] === OURS ? node.ours : node.parent;
    if (method === 'gettransaction' && confirmations === undefined)
      throw new RpcError(-5, 'Invalid or non-wallet transaction id');
    const answers: Readonly<Record<string, () => unknown>> = {
      getblockcount: () => node.head,
      gettransaction: () => ({ confirmations }),
      decoderawtransaction: () => ({ vin: [{ txid: PARENT, vout: 0 }] }),
      gettxout: () => node.coin,
    };
    return result.parse(answers[method]?.());
  };
const node = (set: Partial<Node>): Node => ({ head: 100, ours: undefined, parent: 50, coin: null, ...set });
const foreign = { isForeign: true, unspent: [], reason: expect.stringMatching(/not signed here/) };

test.each<[string, Node, number, unknown]>([
  ['double-spent at a final depth according to the wallet', node({ ours: -3 }), 0, foreign],
  ['double-spent by a transaction that is not final', node({ ours: -2 }), 0, undefined],
  ['double-spent by a transaction that has become final', node({ ours: -1 }), 3, foreign],
  ['unknown, with a coin that has been spent for as long as finality takes', node({}), 3, foreign],
  ['unknown, with a coin that has just been spent', node({}), 2, undefined],
  ['unknown, with an unspent coin', node({ coin: { value: 1 } }), 3, undefined],
  ['unknown, with a coin whose own transaction is not deep in a block', node({ parent: 0 }), 3, undefined],
  ['in a block', node({ ours: 1 }), 3, undefined],
])('the second check decides about a transaction that is %s', async (_what, seen, blocks, told) => {
  const whyNever = createSpentCoins('BitcoinSignet', [rpcOf(seen)], CONFIRMATIONS);
  expect(await whyNever(SIGNED)).toBeUndefined();
  seen.head += blocks;
  expect(await whyNever(SIGNED)).toEqual(told);
});

test('a coin is reported as unspent only if every node has the coin in a block and no waiting transaction spends it', async () => {
  const [other, announced] = ['3', '4'].map((digit) => digit.repeat(64));
  const whole =
    (missing: readonly (string | undefined)[]): Rpc =>
    async (method, params, result) => {
      if (method === 'decoderawtransaction')
        return result.parse({ vin: [PARENT, other, announced].map((txid) => ({ txid, vout: 0 })) });
      if (method !== 'gettxout') return rpcOf(node({ ours: -3 }))(method, params, result);
      expect(params[2]).toBe(true);
      return result.parse(missing.includes(String(params[0])) ? null : { confirmations: params[0] === announced ? 0 : 1 });
    };
  const left = async (...nodes: readonly Rpc[]) => {
    const whyNever = createSpentCoins('BitcoinSignet', nodes, CONFIRMATIONS);
    await whyNever(SIGNED);
    return (await whyNever(SIGNED))?.unspent;
  };
  expect(await left(whole([PARENT]))).toEqual([`${other}:0`]);
  expect(await left(whole([PARENT]), whole([PARENT, other]))).toEqual([]);
});
