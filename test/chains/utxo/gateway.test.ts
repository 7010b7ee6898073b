import { networkOf } from '../../../chains/networks';
import { type Rpc, RpcError } from '../../../chains/rpc/rpc';
import { createUtxoGateway } from '../../../chains/utxo/gateway';

const TXID = 'ab'.repeat(32);
const BLOCK = 'cd'.repeat(32);

type Answer = unknown | Error;
const gatewayOn = (answers: Readonly<Record<string, Answer>>) => {
  const rpc: Rpc = async (method, _params, result) => {
    const answer = answers[method];
    if (answer instanceof Error) throw answer;
    if (answer === undefined) throw new RpcError(-5, `${method}: not found`);
    return result.parse(answer);
  };
  return createUtxoGateway(networkOf('BitcoinSignet'), rpc, []);
};

test.each([
  [-27, 'Transaction already in block chain', 'AlreadyKnown'],
  [-27, 'Transaction outputs already in utxo set', 'AlreadyKnown'],
  [-26, 'txn-already-in-mempool', 'AlreadyKnown'],
  [-25, 'bad-txns-inputs-missingorspent', 'NonceTooLow'],
  [-25, 'Missing inputs', 'NonceTooLow'],
  [-26, '18: txn-mempool-conflict', 'NonceTooLow'],
  [-26, 'min relay fee not met, 100 < 141', 'Underpriced'],
  [-26, 'insufficient fee, rejecting replacement ab; new feerate 0.00001 <= old feerate 0.00002', 'Underpriced'],
  [-26, 'mempool min fee not met', 'Underpriced'],
  [-26, 'dust', { kind: 'Rejected', reason: 'dust' }],
])('a refusal %i "%s" means %j', async (code, message, outcome) => {
  expect(await gatewayOn({ sendrawtransaction: new RpcError(code, message) }).broadcast('00', TXID)).toEqual(outcome);
});

test('bytes that the node refuses because a block already has them are AlreadyKnown', async () => {
  const gateway = gatewayOn({
    sendrawtransaction: new RpcError(-25, 'bad-txns-inputs-missingorspent'),
    gettransaction: { txid: TXID, confirmations: 2, blockhash: BLOCK, blockheight: 7 },
  });
  expect(await gateway.broadcast('00', TXID)).toBe('AlreadyKnown');
});

test('a reply with a different transaction id is refused', async () => {
  await expect(gatewayOn({ sendrawtransaction: 'ef'.repeat(32) }).broadcast('00', TXID)).rejects.toMatchObject({
    code: 'NetworkUnavailable',
  });
});

test('a transaction that only the node’s wallet still has is not known to the network', async () => {
  expect(await gatewayOn({ gettransaction: { txid: TXID, confirmations: 0 } }).isKnown(TXID)).toBe(false);
  const waiting = gatewayOn({ gettransaction: { txid: TXID, confirmations: 0 }, getmempoolentry: { vsize: 141 } });
  expect(await waiting.isKnown(TXID)).toBe(true);
});

test.each([
  ['in a block', { confirmations: 3, blockhash: BLOCK, blockheight: 9 }, true],
  ['waiting', { confirmations: 0 }, false],
  ['double-spent by another transaction', { confirmations: -1 }, false],
])('a transaction %s has a receipt only if it is in a block', async (_title, answer, isIncluded) => {
  const receipts = await gatewayOn({ gettransaction: { txid: TXID, fee: 0.5, ...answer } }).receipts([TXID]);
  // The wallet's fee is wrong for a transaction that also spends coins of others, so the gateway never uses this fee.
  const expected = { height: 9, blockHash: BLOCK, success: true, feeUnits: null };
  expect(receipts.get(TXID)).toEqual(isIncluded ? expected : undefined);
});

test('if a node reports a block without its height, the gateway requests the height', async () => {
  const gateway = gatewayOn({
    gettransaction: { txid: TXID, confirmations: 1, blockhash: BLOCK, fee: -0.00000141 },
    getblockheader: { hash: BLOCK, height: 9 },
  });
  expect((await gateway.receipts([TXID])).get(TXID)).toMatchObject({ height: 9, blockHash: BLOCK });
});

test('a block contains its parent’s hash, and there is no block above the head', async () => {
  const gateway = gatewayOn({
    getblockhash: BLOCK,
    getblock: { hash: BLOCK, height: 5, previousblockhash: TXID, tx: [TXID] },
  });
  expect(await gateway.block(5)).toEqual({ height: 5, hash: BLOCK, parentHash: TXID, txHashes: [TXID] });
  expect(await gatewayOn({ getblockhash: new RpcError(-8, 'Block height out of range') }).block(6)).toBeUndefined();
});
