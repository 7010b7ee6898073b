import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../domain/errors';
import { agreedDepth } from './depth';

export class NodesDisagree extends AppError {
  constructor(network: string, method: string) {
    super('NetworkUnavailable', `The nodes of ${network} do not agree on ${method}`, { network, method });
  }
}

/**
 * Methods that return facts on which money depends. Replies to requests with `pending` differ between nodes and are an exception.
 */
const EXACT: ReadonlySet<string> = new Set([
  ...['eth_getBalance', 'eth_getTransactionReceipt', 'eth_call', 'eth_getTransactionCount'],
  ...['getblockhash', 'getblock', 'getblockheader', 'listreceivedbyaddress'],
  ...['getBalance', 'getMultipleAccounts', 'getTransaction', 'getTokenAccountBalance'],
]);
/** All nodes that must agree have to watch the same addresses. A node's wallet knows only the coins of watched addresses. */
const WATCHING: ReadonlySet<string> = new Set(['getaddressinfo', 'importdescriptors', 'importmulti', 'setlabel']);
/** Unspent outputs in the Bitcoin family. */
const COINS: ReadonlySet<string> = new Set(['listunspent', 'gettxout']);
/** A Bitcoin-family wallet's report on a transaction. */
const DEPTHS: ReadonlySet<string> = new Set(['gettransaction']);
/** The heads of honest nodes may differ by some blocks. */
const HEADS: ReadonlySet<string> = new Set(['eth_blockNumber', 'getblockcount', 'getBlockHeight', 'getSlot']);
const HEAD_TAGS: ReadonlySet<unknown> = new Set(['latest', 'safe', 'finalized']);

export type Agreement = 'Exact' | 'Head' | 'Coins' | 'Depth';

/** Undefined if a single node's reply is enough. */
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

/** Leaves out the slot of a reply: two of Solana's nodes are rarely at the same slot. */
const said = (answer: unknown): unknown =>
  typeof answer === 'object' && answer !== null && 'context' in answer && 'value' in answer ? answer.value : answer;

type Output = Readonly<Record<string, unknown>>;
const isOutput = (value: unknown): value is Output => typeof value === 'object' && value !== null;
/** The depth differs between nodes whose heads differ. */
const withoutDepth = ({ confirmations: _, ...told }: Output): Output => told;
const isIn = (answer: unknown, output: Output): boolean =>
  Array.isArray(answer) &&
  answer.some((other) => isOutput(other) && isDeepStrictEqual(withoutDepth(other), withoutDepth(output)));

/**
 * Coins in blocks must be the same for all nodes. Only the pending coins that all nodes report are returned. A coin that is
 * left out can be spent later, but a transaction with a coin that does not exist is invalid.
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

/** Undefined if the nodes disagree. */
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
