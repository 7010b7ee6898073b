import { startFakeNode } from '../chains/rpc/fake-node';

type Json = Readonly<Record<string, unknown>>;
type Transaction = Json & { readonly hash: string };
type Log = Json & { readonly transactionHash: string };
type Receipt = Json & { readonly transactionHash: string; readonly logs: readonly Log[] };
type FlatTrace = Json & { readonly transactionHash: string; readonly traceAddress: readonly number[] };
type Frame = Json & { readonly calls?: readonly Frame[] };

export type Lies = {
  /** The head that the node shows, so that a test can let the chain grow. */
  head: bigint | undefined;
  /** The headers have a member that no rule of this service covers, as on networks with headers of their own. */
  hasOwnHeaders: boolean;
  hidesLog: (log: Log) => boolean;
  hidesTransaction: (hash: string) => boolean;
  /** If true, the traces lack the calls within the transaction with this hash. */
  hidesCallsOf: (hash: string) => boolean;
  /** In the place of this block, the node shows the next block, with the height of this block. */
  hiddenBlock: bigint | undefined;
};

const HONEST: Lies = {
  head: undefined,
  hasOwnHeaders: false,
  hidesLog: () => false,
  hidesTransaction: () => false,
  hidesCallsOf: () => false,
  hiddenBlock: undefined,
};

const hexOf = (value: bigint) => `0x${value.toString(16)}`;

/** A node of a real chain that leaves things out of what it returns, and is honest in everything else. */
export async function startLyingNode(realUrl: string) {
  const lies = { ...HONEST };
  const ask = async (method: string, params: readonly unknown[]): Promise<Json> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const reply = await fetch(realUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    return (await reply.json()) as Json;
  };
  const node = await startFakeNode(({ id, method, params }, response) => {
    const asked = params.map((one) => (one === 'latest' && lies.head !== undefined ? hexOf(lies.head) : one));
    const isHidden = method === 'eth_getBlockByNumber' && lies.hiddenBlock !== undefined && asked[0] === hexOf(lies.hiddenBlock);
    if (isHidden) asked[0] = hexOf((lies.hiddenBlock ?? 0n) + 1n);
    ask(method, asked).then(
      (reply) => {
        const result = reply['result'] === undefined ? undefined : toldOf(method, reply['result'], lies, isHidden);
        response.end(JSON.stringify({ ...reply, id, ...(result === undefined ? {} : { result }) }));
      },
      () => response.writeHead(502).end(),
    );
  });
  return { url: node.url, lies, asked: node.asked, honest: () => Object.assign(lies, HONEST), stop: node.stop };
}

function toldOf(method: string, result: unknown, lies: Lies, isHidden: boolean): unknown {
  if (method === 'eth_getBlockByNumber' && result !== null) {
    const block = result as Json & { readonly transactions: readonly (Transaction | string)[] };
    const hashOf = (tx: Transaction | string) => (typeof tx === 'string' ? tx : tx.hash);
    return {
      ...block,
      ...(lies.hasOwnHeaders ? { extraData: '0x6f776e' } : {}),
      ...(isHidden ? { number: hexOf(lies.hiddenBlock ?? 0n) } : {}),
      transactions: block.transactions.filter((tx) => !lies.hidesTransaction(hashOf(tx))),
    };
  }
  if (method === 'eth_getBlockReceipts')
    return (result as readonly Receipt[])
      .filter(({ transactionHash }) => !lies.hidesTransaction(transactionHash))
      .map((receipt) => ({ ...receipt, logs: receipt.logs.filter((log) => !lies.hidesLog(log)) }));
  if (method === 'debug_traceBlockByHash') {
    const traced = (result as readonly (Json & { readonly txHash: string; readonly result: Frame })[]).filter(
      ({ txHash }) => !lies.hidesTransaction(txHash),
    );
    return traced.map((one) => (lies.hidesCallsOf(one.txHash) ? { ...one, result: { ...one.result, calls: [] } } : one));
  }
  if (method === 'trace_block') {
    const traces = (result as readonly FlatTrace[]).filter(({ transactionHash }) => !lies.hidesTransaction(transactionHash));
    return traces.flatMap((one) => {
      if (!lies.hidesCallsOf(one.transactionHash)) return [one];
      return one.traceAddress.length === 0 ? [{ ...one, subtraces: 0 }] : [];
    });
  }
  return result;
}
