import type { z } from 'zod';
import { inFamily } from '../../../chains/families';
import { networkOf } from '../../../chains/networks';
import { type Rpc, RpcError } from '../../../chains/rpc/rpc';
import { createUtxoReader } from '../../../chains/utxo/reader';
import { AppError } from '../../../domain/errors';

const network = inFamily('utxo', networkOf('BitcoinSignet'));
const SCRIPT = `0014${'11'.repeat(20)}`;
const NODE_ADDRESS = 'bcrt1qexample';
const txid = (digit: string) => digit.repeat(64);
const coin = (digit: string, amount: number, confirmations: number, more = {}) => ({
  txid: txid(digit),
  vout: 1,
  scriptPubKey: SCRIPT,
  amount,
  confirmations,
  ...more,
});

type Answers = Readonly<Record<string, unknown | ((params: readonly unknown[]) => unknown)>>;

/** A node that returns the replies in this list and refuses all other requests. */
function scripted(answers: Answers): { readonly rpc: Rpc; readonly asked: string[] } {
  const asked: string[] = [];
  const rpc: Rpc = async <T>(method: string, params: readonly unknown[], result: z.ZodType<T>) => {
    asked.push(method);
    const answer = answers[method];
    if (answer === undefined) throw new RpcError(-32601, `no ${method}`);
    return result.parse(typeof answer === 'function' ? answer(params) : answer);
  };
  return { rpc, asked };
}

const WATCHED: Answers = { decodescript: { address: NODE_ADDRESS }, getaddressinfo: { labels: ['strongroom'] } };
const readerOn = ({ rpc }: { readonly rpc: Rpc }) =>
  createUtxoReader({ network, codec: { scriptOf: () => SCRIPT }, rpc, patientRpc: rpc });

test('the balance includes confirmed coins and our own unconfirmed change, but not a stranger’s unconfirmed payment', async () => {
  const node = scripted({
    ...WATCHED,
    listunspent: [coin('a', 0.1, 3), coin('b', 0.00000546, 0), coin('c', 20_999_999.99999999, 1), coin('d', 2, 0)],
    gettransaction: ([id]: readonly unknown[]) => ({
      txid: id,
      hex: '00',
      confirmations: 0,
      ...(id === txid('b') ? { fee: -0.00001 } : {}),
    }),
  });
  expect(await readerOn(node).nativeBalance('any')).toBe(10_000_000n + 546n + 2_099_999_999_999_999n);
});

test('coins with a different script are left out, and a coin with a token is marked', async () => {
  const token = coin('b', 1, 1, { tokenData: { category: 'ff' } });
  const node = scripted({ ...WATCHED, listunspent: [coin('a', 1, 1, { scriptPubKey: '51' }), token] });
  expect(await readerOn(node).coins('any')).toEqual([expect.objectContaining({ txid: txid('b'), hasToken: true })]);
});

test('an amount that a double cannot represent exactly is refused', async () => {
  const node = scripted({ ...WATCHED, listunspent: [coin('a', 123_456_789.12345678, 1)] });
  await expect(readerOn(node).nativeBalance('any')).rejects.toThrow();
});

test.each([
  ['descriptors', { descriptors: true }, 'importdescriptors'],
  ['the old form', {}, 'importmulti'],
])(
  'a new address is scanned from the first block on before its coins are returned, in a wallet of %s',
  async (_title, wallet, method) => {
    const node = scripted({
      decodescript: { addresses: [NODE_ADDRESS] },
      getaddressinfo: { labels: [{ name: '' }] },
      getwalletinfo: wallet,
      getdescriptorinfo: { descriptor: 'raw(00)#checksum' },
      [method]: (params: readonly unknown[]) => {
        expect(params).toEqual([[expect.objectContaining({ timestamp: 0 })]]);
        return [{ success: true }];
      },
      setlabel: null,
      listunspent: [],
    });
    expect(await readerOn(node).coins('any')).toEqual([]);
    expect(node.asked.indexOf('setlabel')).toBeGreaterThan(node.asked.indexOf(method));
  },
);

test('the balance of an address that the node fails to watch is an error, not zero', async () => {
  const node = scripted({
    ...WATCHED,
    getaddressinfo: { labels: [] },
    getwalletinfo: { descriptors: true },
    getdescriptorinfo: { descriptor: 'raw(00)#checksum' },
    importdescriptors: [{ success: false }],
  });
  await expect(readerOn(node).nativeBalance('any')).rejects.toMatchObject({ code: 'NetworkUnavailable' });
});

test('fee rates are never below the node’s minimum, and include the number of blocks', async () => {
  const estimates: Readonly<Record<number, object>> = {
    12: { errors: ['too little data'] },
    6: { feerate: 0.00000001 },
    2: { feerate: 0.0005 },
  };
  const node = scripted({
    getblockcount: 7,
    getmempoolinfo: { mempoolminfee: 0.00002 },
    estimatesmartfee: ([blocks]: readonly unknown[]) => estimates[Number(blocks)],
  });
  expect(await readerOn(node).feeEstimates()).toMatchObject({
    kind: 'Bitcoin',
    blockNumber: 7,
    tiers: {
      Slow: { milliUnitsPerVbyte: 2_000n, blockHorizon: 12 },
      Standard: { milliUnitsPerVbyte: 2_000n, blockHorizon: 6 },
      Fast: { milliUnitsPerVbyte: 50_000n, blockHorizon: 2 },
    },
  });
});

test('a node of Bitcoin Cash gets the older request estimatefee, because it supports no other', async () => {
  const node = scripted({ getmempoolinfo: { mempoolminfee: 0.00001 }, estimatefee: 0.00003 });
  expect((await readerOn(node).feeRates()).Slow).toEqual({ milliUnitsPerVbyte: 3_000n, blockHorizon: 12 });
});

test('a transaction that the node does not have is a fault of the node', async () => {
  const node = scripted({
    gettransaction: () => {
      throw new RpcError(-5, 'Invalid or non-wallet transaction id');
    },
  });
  const asked = readerOn(node).previousTransactions([txid('a')]);
  await expect(asked).rejects.toBeInstanceOf(AppError);
  await expect(asked).rejects.toMatchObject({ code: 'NetworkUnavailable' });
});

test.each([
  ['in a block', { confirmations: 2 }, undefined, { kind: 'Included' }],
  ['double-spent in a block', { confirmations: -2 }, undefined, { kind: 'Beaten' }],
  [
    'waiting with dependents',
    { confirmations: 0 },
    { descendantcount: 3, ancestorsize: 282, fees: { descendant: 0.00000999, ancestor: 0.000005 } },
    { kind: 'Waiting', dependents: 3, feeUnits: 999n, ancestry: { vbytes: 282n, feeUnits: 500n } },
  ],
  [
    'waiting at an older node, such as a node of Dogecoin',
    { confirmations: 0 },
    { descendantcount: 1, descendantfees: 999, ancestorsize: 192, ancestorfees: 999 },
    { kind: 'Waiting', dependents: 1, feeUnits: 999n, ancestry: { vbytes: 192n, feeUnits: 999n } },
  ],
  ['that only the wallet has', { confirmations: 0 }, undefined, { kind: 'Nowhere' }],
  ['unknown', undefined, undefined, { kind: 'Nowhere' }],
])('the reader reports the standing of a transaction %s', async (_title, known, waiting, expected) => {
  const unknown = () => {
    throw new RpcError(-5, 'not here');
  };
  const node = scripted({
    gettransaction: known ? { txid: txid('a'), hex: '00', ...known } : unknown,
    getmempoolentry: waiting ?? unknown,
  });
  expect(await readerOn(node).standing(txid('a'))).toEqual(expected);
});
