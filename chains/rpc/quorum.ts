import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../domain/errors';

/** Nodes of one network that tell different stories of what decides about money. */
export class NodesDisagree extends AppError {
  constructor(network: string, method: string) {
    super('NetworkUnavailable', `The nodes of ${network} do not agree on ${method}`, { network, method });
  }
}

/** What decides about money and has one answer. A node's waiting transactions are its own affair and are not among it. */
const EXACT: ReadonlySet<string> = new Set([
  ...['eth_getBalance', 'eth_getTransactionReceipt', 'eth_call', 'eth_getTransactionCount'],
  ...['getblockhash', 'getBalance', 'getMultipleAccounts', 'getTransaction', 'getTokenAccountBalance'],
]);
/** The head of the chain, on which honest nodes are some blocks apart. */
const HEADS: ReadonlySet<string> = new Set(['eth_blockNumber', 'getblockcount', 'getBlockHeight', 'getSlot']);
const HEAD_TAGS: ReadonlySet<unknown> = new Set(['latest', 'safe', 'finalized']);

/** How the answers of several nodes are put together; undefined where one node's word is enough. */
export function agreementOn(method: string, params: readonly unknown[]): 'Exact' | 'Head' | undefined {
  if (HEADS.has(method)) return 'Head';
  if (method === 'eth_getBlockByNumber') return HEAD_TAGS.has(params[0]) ? 'Head' : 'Exact';
  return EXACT.has(method) && !params.includes('pending') ? 'Exact' : undefined;
}

const heightOf = (value: unknown): number | undefined => {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  const number: unknown = typeof value === 'object' && value !== null && 'number' in value ? value.number : undefined;
  return typeof number === 'number' || typeof number === 'bigint' ? Number(number) : undefined;
};

/** Solana's nodes say besides at which slot they answer, and no two of them are ever at the same. */
const said = (answer: unknown): unknown =>
  typeof answer === 'object' && answer !== null && 'context' in answer && 'value' in answer ? answer.value : answer;

/** The one answer of all, of heads the lowest; undefined when they do not agree. */
export function agreed<T>(kind: 'Exact' | 'Head', answers: readonly [T, ...T[]], headsApart: number): T | undefined {
  const [first] = answers;
  if (kind === 'Exact') return answers.every((answer) => isDeepStrictEqual(said(answer), said(first))) ? first : undefined;
  const byHeight = answers.map((value) => ({ value, height: heightOf(value) })).sort((a, b) => (a.height ?? 0) - (b.height ?? 0));
  const [lowest] = byHeight;
  const highest = byHeight.at(-1);
  if (lowest?.height === undefined || highest?.height === undefined) return undefined;
  return highest.height - lowest.height <= headsApart ? lowest.value : undefined;
}
