import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { encodeFunctionResult, parseAbi } from 'viem/utils';

/** A token with a `handle` hides its amounts (ERC-7984), and returns the handle as every balance. */
export type FakeToken = { decimals: number; symbol: string; balanceUnits: bigint; handle?: string };

export type FakeCollectible = { readonly symbol: string; readonly owners: Readonly<Record<string, string>> };

export type FakeNode = {
  readonly url: string;
  nativeUnits: bigint;
  /** The number of nonces that every sender has used. */
  transactionCount: number;
  /** Tokens by the address of their contract, in lower case. */
  readonly tokens: Map<string, FakeToken>;
  /** ERC-721 contracts by address in lower case, with the owner of each token. */
  readonly collectibles: Map<string, FakeCollectible>;
  /** While true, the node returns 503 for every request. */
  isDown: boolean;
  /** While true, the node returns 503 for calls of contracts. */
  isDownForContracts: boolean;
  /** While set, every call of a contract reverts with this message. */
  revertsWith: string | undefined;
  /** The error code of a revert. Different node clients use different codes. */
  revertCode: number;
  readonly close: () => Promise<void>;
};

const ABI = parseAbi(['function decimals() view returns (uint8)', 'function symbol() view returns (string)']);

function callResult(token: FakeToken | undefined, selector: string): string {
  if (!token) return '0x';
  if (selector === '0x313ce567') return encodeFunctionResult({ abi: ABI, functionName: 'decimals', result: token.decimals });
  if (selector === '0x95d89b41') return encodeFunctionResult({ abi: ABI, functionName: 'symbol', result: token.symbol });
  if (token.handle !== undefined) return selector === '0x01ffc9a7' ? `0x${'1'.padStart(64, '0')}` : token.handle;
  return `0x${token.balanceUnits.toString(16).padStart(64, '0')}`;
}

function collectibleResult({ symbol, owners }: FakeCollectible, data: string): string {
  if (data.startsWith('0x95d89b41')) return encodeFunctionResult({ abi: ABI, functionName: 'symbol', result: symbol });
  if (data.startsWith('0x01ffc9a7')) return `0x${'1'.padStart(64, '0')}`;
  const owner = owners[String(BigInt(`0x${data.slice(10)}`))] ?? '0x';
  return `0x${owner.slice(2).toLowerCase().padStart(64, '0')}`;
}

/** With this balance, a request lacks coins only if a test lowers the balance. */
const RICH_UNITS = 2n ** 255n;

/** Starts a node that lies and fails on demand, which a real node does not do. */
export async function startFakeNode(port = 0): Promise<FakeNode> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { id, method, params } = JSON.parse(body) as {
      id: number;
      method: string;
      params: [{ to: string; data: string }, ...unknown[]];
    };
    if (node.isDown || (node.isDownForContracts && method === 'eth_call')) {
      response.writeHead(503).end();
      return;
    }
    const [call] = params;
    const answers: Partial<Record<string, () => unknown>> = {
      eth_chainId: () => '0xaa36a7',
      eth_getBalance: () => `0x${node.nativeUnits.toString(16)}`,
      eth_getCode: () => (node.tokens.has(String(call).toLowerCase()) ? '0x60' : '0x'),
      eth_feeHistory: () => ({
        oldestBlock: '0x9',
        baseFeePerGas: ['0x3b9aca00', '0x77359400'],
        reward: [['0x0', '0x0', '0x77359400']],
      }),
      eth_estimateGas: () => '0x5208',
      eth_getTransactionCount: () => `0x${node.transactionCount.toString(16)}`,
    };
    response.setHeader('content-type', 'application/json');
    if (method === 'eth_call' && node.revertsWith !== undefined) {
      response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: node.revertCode, message: node.revertsWith } }));
      return;
    }
    const collectible = method === 'eth_call' ? node.collectibles.get(call.to.toLowerCase()) : undefined;
    const called = () =>
      collectible
        ? collectibleResult(collectible, call.data)
        : callResult(node.tokens.get(call.to.toLowerCase()), call.data.slice(0, 10));
    const result = answers[method]?.() ?? called();
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  const node: FakeNode = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    nativeUnits: RICH_UNITS,
    transactionCount: 0,
    tokens: new Map(),
    collectibles: new Map(),
    isDown: false,
    isDownForContracts: false,
    revertsWith: undefined,
    revertCode: 3,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return node;
}
