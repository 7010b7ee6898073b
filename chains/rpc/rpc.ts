import { z } from 'zod';
import { AppError } from '../../domain/errors';
import { inSpan } from '../../platform/spans';
import { isUnknownToSome } from './depth';
import { INTERNAL_FAULT, InternalFault, saidBy, WORDS_THAT_SETTLE } from './internal-faults';
import { createNodes, type Node, type Nodes } from './nodes';
import { postJson, StatusError } from './post-json';
import { type Agreement, agreed, agreementOn, NodesDisagree } from './quorum';

const REQUEST_TIMEOUT_MS = 10_000;
/** A full block of transaction hashes stays far below this limit. */
const REPLY_BYTES_MAX = 8 * 1024 * 1024;
const MESSAGE_CHARS_MAX = 300;
/** The node receives too many requests (-32005), or is still starting (-28). */
const NODE_TROUBLE_CODES: ReadonlySet<number> = new Set([-32005, -28]);

const Refusal = z.object({ code: z.number(), message: z.string() });
export type NodeRefusal = z.output<typeof Refusal>;
const Reply = z.object({ result: z.unknown().optional(), error: Refusal.nullish() });

/** A node understood the request and refused. The message is the node's own text. */
export class RpcError extends Error {
  constructor(
    readonly rpcCode: number,
    message: string,
  ) {
    super(message.slice(0, MESSAGE_CHARS_MAX));
    this.name = 'RpcError';
  }
}

/**
 * Throws `RpcError` for a node's refusal, and `NetworkUnavailable` if too few nodes gave a readable reply or the nodes
 * disagree.
 */
export type Rpc = <T>(method: string, params: readonly unknown[], result: z.ZodType<T>) => Promise<T>;

/**
 * A refusal of JSON-RPC 1.0. Versions of bitcoind before 28, and software that descends from bitcoind, send this form with an
 * HTTP error status.
 */
const OldRefusal = z.object({ result: z.null(), error: Refusal });

export type RpcOptions = {
  readonly timeoutMs?: number;
  readonly replyBytesMax?: number;
  /** Returns whole numbers with 16 or more digits as texts, because a JavaScript number cannot hold every such number. */
  readonly longNumbersAsText?: true;
  /** The number of nodes that must agree if money depends on the reply. */
  readonly readQuorum?: number;
  readonly headsApart?: number;
  /** The limit applies to each node. */
  readonly requestsPerSecond?: number;
  /** This request identifies a node's chain. The process repeats the request after each failure of a node. */
  readonly identity?: { readonly method: string; readonly params: readonly unknown[]; readonly expected: string };
  /** True if a refusal concerns the request, even if its code can also mean that the node is in trouble. */
  readonly isOfQuestion?: (refusal: NodeRefusal) => boolean;
};

const HEADS_APART = 3;
/**
 * The pattern includes the characters around the digits, so that the digits are a whole value and not a part of a text or a
 * fraction.
 */
const LONG_NUMBER = /([[,:]\s*)(\d{16,})(?=\s*[,\]}])/g;

async function ask(url: string, body: string, { timeoutMs, replyBytesMax, longNumbersAsText }: SettledOptions) {
  try {
    const text = await postJson(url, body, { timeoutMs, replyBytesMax });
    return Reply.parse(JSON.parse(longNumbersAsText ? text.replace(LONG_NUMBER, '$1"$2"') : text));
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    const refusal = OldRefusal.safeParse(jsonOrUndefined(error.text));
    if (refusal.success) return refusal.data;
    throw error;
  }
}

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type SettledOptions = RpcOptions &
  Required<Pick<RpcOptions, 'timeoutMs' | 'replyBytesMax' | 'readQuorum' | 'headsApart' | 'isOfQuestion'>>;

type NodePool = {
  readonly network: string;
  readonly nodes: Nodes;
  readonly options: SettledOptions;
  readonly bodyOf: (method: string, params: readonly unknown[]) => string;
};

async function verify({ options, bodyOf }: NodePool, node: Node): Promise<void> {
  const { identity } = options;
  if (node.verified || !identity) return;
  const reply = await ask(node.url, bodyOf(identity.method, identity.params), options);
  // The node could not be checked while it was unreachable, and might serve a different chain. That chain could accept
  // transactions that are signed for this chain.
  if (reply.result !== identity.expected) throw new Error('the node serves a different chain');
  node.verified = true;
}

/**
 * `RpcError` means that the node refuses the request. `InternalFault` means that the request or the node is at fault. Any other
 * error means that the node is in trouble.
 */
async function askOne<T>(pool: NodePool, node: Node, body: string, result: z.ZodType<T>): Promise<T> {
  const { nodes, options } = pool;
  try {
    await nodes.turn(node);
    await verify(pool, node);
    const reply = await ask(node.url, body, options);
    if (reply.error) throw refusalOf(options, node, reply.error);
    const value = result.parse(reply.result);
    nodes.answered(node);
    return value;
  } catch (error) {
    if (!(error instanceof RpcError || error instanceof InternalFault)) nodes.failed(node);
    throw error;
  }
}

function refusalOf({ isOfQuestion }: SettledOptions, node: Node, { code, message }: NodeRefusal): Error {
  if (isOfQuestion({ code, message })) return new RpcError(code, message);
  if (code === INTERNAL_FAULT) return new InternalFault(node, message);
  return NODE_TROUBLE_CODES.has(code) ? new Error(`code ${code}: ${message}`) : new RpcError(code, message);
}

// A node's address often contains an API key and must not appear here.
const unavailable = (network: string, method: string, trouble: unknown, needed = '') =>
  new AppError(
    'NetworkUnavailable',
    `No node of ${network} gave a usable reply to ${method}${needed}`,
    { network, method },
    trouble,
  );

async function askAny<T>(pool: NodePool, method: string, params: readonly unknown[], result: z.ZodType<T>): Promise<T> {
  const { network, nodes, bodyOf } = pool;
  const body = bodyOf(method, params);
  const faults: InternalFault[] = [];
  let trouble: unknown;
  for (const node of nodes.inOrder()) {
    try {
      const value = await askOne(pool, node, body, result);
      for (const fault of faults) nodes.failed(fault.node);
      if (faults.length > 0) nodes.answered(node);
      return value;
    } catch (error) {
      if (error instanceof RpcError) throw error;
      if (error instanceof InternalFault) faults.push(error);
      const settled = saidBy(faults, WORDS_THAT_SETTLE);
      if (settled) throw new RpcError(INTERNAL_FAULT, settled.message);
      trouble = error;
    }
  }
  throw unavailable(network, method, trouble);
}

/**
 * Returns the refusal that the caller must throw even though too few nodes replied, or undefined. If a refusal concerns the
 * request itself, all refusals and internal faults count towards the quorum. In every other case enough nodes, and at least two,
 * must report the same internal fault.
 */
function refusalAmong(
  { isOfQuestion, readQuorum }: SettledOptions,
  refusals: readonly RpcError[],
  faults: readonly InternalFault[],
): RpcError | undefined {
  const ofQuestion = refusals.find(({ rpcCode: code, message }) => isOfQuestion({ code, message }));
  if (ofQuestion) return refusals.length + faults.length >= readQuorum ? ofQuestion : undefined;
  const settled = saidBy(faults, Math.max(WORDS_THAT_SETTLE, readQuorum));
  return settled && new RpcError(INTERNAL_FAULT, settled.message);
}

async function askSeveral<T>(
  pool: NodePool,
  kind: Agreement,
  method: string,
  params: readonly unknown[],
  result: z.ZodType<T>,
): Promise<T> {
  const { network, nodes, options, bodyOf } = pool;
  const { readQuorum, headsApart } = options;
  const body = bodyOf(method, params);
  const left = [...nodes.inOrder()];
  const answers: (T | RpcError)[] = [];
  const faults: InternalFault[] = [];
  let trouble: unknown;
  while (answers.length < readQuorum && left.length > 0) {
    const asked = left.splice(0, readQuorum - answers.length);
    for (const outcome of await Promise.allSettled(asked.map((node) => askOne(pool, node, body, result)))) {
      if (outcome.status === 'fulfilled') answers.push(outcome.value);
      else if (outcome.reason instanceof RpcError) answers.push(outcome.reason);
      else trouble = outcome.reason;
      if (outcome.status === 'rejected' && outcome.reason instanceof InternalFault) faults.push(outcome.reason);
    }
  }
  const refusals = answers.filter((answer) => answer instanceof RpcError);
  const values = answers.filter((answer): answer is T => !(answer instanceof RpcError));
  if (answers.length < readQuorum) {
    const settled = values.length === 0 ? refusalAmong(options, refusals, faults) : undefined;
    throw settled ?? unavailable(network, method, trouble, `: ${readQuorum} nodes must agree`);
  }
  if (values.length === answers.length) for (const fault of faults) nodes.failed(fault.node);
  const [refusal] = refusals;
  if (refusal && values.length === 0) throw refusal;
  const codes = refusals.map(({ rpcCode }) => rpcCode);
  if (refusal && kind === 'Depth' && isUnknownToSome(codes, values, headsApart)) throw refusal;
  const [first, ...others] = values;
  const one = first === undefined || refusal ? undefined : agreed(kind, [first, ...others], headsApart);
  if (one === undefined) throw new NodesDisagree(network, method);
  return one;
}

/** Asks the nodes in order until one node, or as many nodes as must agree, have replied. */
export function createRpc(network: string, urls: readonly string[], options: RpcOptions = {}): Rpc {
  const { timeoutMs = REQUEST_TIMEOUT_MS, replyBytesMax = REPLY_BYTES_MAX } = options;
  const { readQuorum = 1, headsApart = HEADS_APART, isOfQuestion = () => false } = options;
  let lastId = 0;
  const pool: NodePool = {
    network,
    nodes: createNodes(urls, timeoutMs, options.requestsPerSecond),
    options: { ...options, timeoutMs, replyBytesMax, readQuorum, headsApart, isOfQuestion },
    bodyOf: (method, params) => JSON.stringify({ jsonrpc: '2.0', id: ++lastId, method, params }),
  };

  return (method, params, result) => {
    const attributes = { 'strongroom.network': network, 'strongroom.rpc.method': method };
    const kind = readQuorum > 1 ? agreementOn(method, params) : undefined;
    return inSpan({ name: `rpc ${method}`, kind: 'client', attributes }, () =>
      kind ? askSeveral(pool, kind, method, params, result) : askAny(pool, method, params, result),
    );
  };
}

const HEX_QUANTITY = /^0x[0-9a-f]{1,64}$/i;
export const Quantity = z.string().regex(HEX_QUANTITY).transform(BigInt);
export const SmallQuantity = Quantity.transform(Number).pipe(z.int());
export const Hash = z.string().regex(/^0x[0-9a-f]{64}$/);
export const Data = z.string().regex(/^0x(?:[0-9a-f]{2})*$/i);
export const quantityOf = (value: bigint | number) => `0x${value.toString(16)}`;
