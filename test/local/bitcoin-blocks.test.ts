import { CoinBlocks } from '../../local/bitcoin-blocks';

/** A node whose own wallet makes the payments `tx-1`, `tx-2`, …, and whose pool accepts only the given payments. */
function nodeThatTakes(...taken: readonly string[]) {
  const abandoned: unknown[] = [];
  let paid = 0;
  const answers: Readonly<Record<string, (params: readonly unknown[]) => unknown>> = {
    sendtoaddress: () => `tx-${++paid}`,
    getrawmempool: () => taken,
    gettransaction: () => ({ confirmations: 0 }),
    abandontransaction: ([txid]) => abandoned.push(txid),
    getblockcount: () => 0,
    getblockhash: () => 'hash',
    getblock: () => ({ tx: ['reward'] }),
    getnewaddress: () => 'address',
    generatetoaddress: () => [],
    gettxoutsetinfo: () => ({}),
  };
  const call = async (method: string, params: readonly unknown[] = []) => answers[method]?.(params);
  const node = { call, forward: async () => ({ status: 200, body: '' }), stop: async () => undefined };
  const blocks = new CoinBlocks(node, { confirmations: 0, onDeath: () => undefined });
  return { blocks, abandoned };
}

test('if the node refuses a payment from the faucet, the payment is abandoned and made again', async () => {
  const { blocks, abandoned } = nodeThatTakes('tx-3');
  expect(await blocks.fund('tb1qaddress', '0.01')).toBe('tx-3');
  expect(abandoned).toEqual(['tx-1', 'tx-2']);
  await blocks.stop();
});

test('if the node refuses every payment from its faucet, the error identifies the node as the cause', async () => {
  const { blocks } = nodeThatTakes();
  await expect(blocks.fund('tb1qaddress', '0.01')).rejects.toThrow(/refused 5 payments of the faucet/);
  await blocks.stop();
});
