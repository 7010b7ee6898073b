import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../domain/errors';
import { agreedDepth } from './depth';

/** Thrown when the nodes of a network contradict each other about facts on which money depends. */
export class NodesDisagree extends AppError {
  constructor(network: string, method: string) {
    super('NetworkUnavailable', `The nodes of ${network} do not agree on ${method}`, { network, method });
  }
}

/**
 * Requests for facts on which money depends. All nodes give the same reply to such a request. A request with the parameter
 * `pending` is an exception, because pending transactions differ between nodes.
 */
const EXACT: ReadonlySet<string> = new Set([
  ...['eth_getBalance', 'eth_getTransactionReceipt', 'eth_call', 'eth_getTransactionCount'],
  ...['getblockhash', 'getblock', 'getblockheader', 'listreceivedbyaddress'],
  ...['getBalance', 'getMultipleAccounts', 'getTransaction', 'getTokenAccountBalance'],
]);
/**
 * Requests about the addresses that the wallet of a node watches. All nodes that must agree have to execute these requests. A
 * node's wallet knows only the coins of the addresses that the wallet watches. So nodes that watch different addresses could
 * not agree on coins.
 */
const WATCHING: ReadonlySet<string> = new Set(['getaddressinfo', 'importdescriptors', 'importmulti', 'setlabel']);
/** Requests to nodes of the Bitcoin family for unspent outputs. */
const COINS: ReadonlySet<string> = new Set(['listunspent', 'gettxout']);
/** Requests to nodes of the Bitcoin family for the wallet's report on a transaction. */
const DEPTHS: ReadonlySet<string> = new Set(['gettransaction']);
/** Requests for the head of the chain. The heads of honest nodes may differ by some blocks. */
const HEADS: ReadonlySet<string> = new Set(['eth_blockNumber', 'getblockcount', 'getBlockHeight', 'getSlot']);
const HEAD_TAGS: ReadonlySet<unknown> = new Set(['latest', 'safe', 'finalized']);

export type Agreement = 'Exact' | 'Head' | 'Coins' | 'Depth';

/** The way in which the replies of several nodes are combined; undefined if a single node's reply is enough. */
export function agreementOn(method: string, params: readonly unknown[]): Agreement | undefined {
  if (HEADS.has(method)) return 'Head';
  if (COINS.has(method)) return 'Coins';
  if (DEPTHS.has(method)) return 'Depth';
  if (WATCHING.has(method)) return 'Exact';
  if (method === 'eth_getBlockByNumber') return HEAD_TAGS.has(params[0]) ? 'Head' : 'Exact';
  return EXACT.has(method) && !params.includes('pending') ? 'Exact' : undefined;
}

const heightOf = (value: unknown): number | undefined => {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  const number: unknown = typeof value === 'object' && value !== null && 'number' in value ? value.number : undefined;
  return typeof number === 'number' || typeof number === 'bigint' ? Number(number) : undefined;
};

/** The reply without the slot that Solana's nodes add. The slot is left out, because two nodes are rarely at the same slot. */
const said = (answer: unknown): unknown =>
  typeof answer === 'object' && answer !== null && 'context' in answer && 'value' in answer ? answer.value : answer;

type Output = Readonly<Record<string, unknown>>;
const isOutput = (value: unknown): value is Output => typeof value === 'object' && value !== null;
/** A coin without its depth. The depth differs between nodes whose heads differ. */
const withoutDepth = ({ confirmations: _, ...told }: Output): Output => told;
const isIn = (answer: unknown, output: Output): boolean =>
  Array.isArray(answer) &&
  answer.some((other) => isOutput(other) && isDeepStrictEqual(withoutDepth(other), withoutDepth(output)));

/**
 * Coins in blocks must be the same for all nodes. Pending coins differ between nodes, so only the pending coins that all nodes
 * report are returned. Nothing is lost if a coin is left out, because the coin can be spent later. But a transaction that spent
 * a coin that does not exist would be invalid.
 */
function agreedCoins<T>(answers: readonly [T, ...T[]]): T | undefined {
  const [first, ...others] = answers;
  if (!Array.isArray(first)) {
    const told = answers.map((answer) => (isOutput(answer) ? withoutDepth(answer) : answer));
    return told.every((one) => isDeepStrictEqual(one, told[0])) ? first : undefined;
  }
  const isBuried = (output: unknown) => isOutput(output) && output['confirmations'] !== 0;
  const inBlocks = answers.map((answer) => (Array.isArray(answer) ? answer.filter(isBuried) : []));
  const isSame = inBlocks.every(
    (outputs) => outputs.length === inBlocks[0]?.length && outputs.every((output) => inBlocks.every((all) => isIn(all, output))),
  );
  return isSame ? (first.filter((output) => others.every((other) => isIn(other, output))) as T) : undefined;
}

/** The common reply of all nodes, or the lowest head among the replies; undefined if the nodes disagree. */
export function agreed<T>(kind: Agreement, answers: readonly [T, ...T[]], headsApart: number): T | undefined {
  const [first] = answers;
  if (kind === 'Coins') return agreedCoins(answers);
  if (kind === 'Depth') return agreedDepth(answers, headsApart);
  if (kind === 'Exact') return answers.every((answer) => isDeepStrictEqual(said(answer), said(first))) ? first : undefined;
  const byHeight = answers.map((value) => ({ value, height: heightOf(value) })).sort((a, b) => (a.height ?? 0) - (b.height ?? 0));
  const [lowest] = byHeight;
  const highest = byHeight.at(-1);
  if (lowest?.height === undefined || highest?.height === undefined) return undefined;
  return highest.height - lowest.height <= headsApart ? lowest.value : undefined;
}
