import { type Rpc, RpcError } from '../../rpc/rpc';
import type { FullBlockReply } from './block-schemas';
import { CallFrames, callsInFrames } from './call-frames';
import { callsInFlatTraces, FlatTraces } from './flat-traces';

const PROBED_EVERY_MS = 3_600_000;
const TRACER = { tracer: 'callTracer' };

/** A call within a transaction that has moved value. The addresses are in lower case. */
export type PayingCall = { readonly from: string; readonly to?: string; readonly amountUnits: bigint };
type Calls = readonly (readonly PayingCall[])[];

/** The calls of each transaction, in the order of the chain. */
export type TracesOf = (block: FullBlockReply) => Promise<Calls | undefined>;

type Tracer = {
  /** Throws `RpcError` if the node does not have the method. */
  readonly probe: (node: Rpc) => Promise<unknown>;
  /** Undefined if the reply lacks a call. */
  readonly read: (node: Rpc, block: FullBlockReply) => Promise<Calls | undefined>;
};

/**
 * `trace_block` comes first, because some nodes keep its result, and run a block once per transaction for the other method. Geth
 * only has the other method.
 */
const TRACERS: readonly Tracer[] = [
  {
    probe: (node) => node('trace_block', ['latest'], FlatTraces),
    read: async (node, block) => callsInFlatTraces(block, await node('trace_block', [block.number], FlatTraces)),
  },
  {
    probe: (node) => node('debug_traceBlockByNumber', ['latest', TRACER], CallFrames),
    read: async (node, block) => callsInFrames(block, await node('debug_traceBlockByHash', [block.hash, TRACER], CallFrames)),
  },
];

/**
 * Returns the calls from the first node that has all calls. Returns undefined if none has, and at least one node has replied: most
 * nodes keep the state for traces only for new blocks.
 */
export function createTraces(nodes: readonly Rpc[]): TracesOf {
  const asks = nodes.map(createAsk);
  return async (block) => {
    if (block.transactions.length === 0) return undefined;
    let trouble: unknown;
    let isMissing = false;
    for (const ask of asks) {
      try {
        const calls = await ask(block);
        if (calls) return calls;
        isMissing = true;
      } catch (error) {
        trouble = error;
      }
    }
    if (trouble && !isMissing) throw trouble;
    return undefined;
  };
}

/** Asks one node by each method that it has. Throws if a method has failed for another reason than a refusal of the node. */
function createAsk(node: Rpc): TracesOf {
  const tracers = TRACERS.map(({ probe, read }) => ({ read, canTrace: createProbe(node, probe) }));
  return async (block) => {
    let trouble: unknown;
    for (const { read, canTrace } of tracers) {
      try {
        const calls = (await canTrace()) ? await read(node, block) : undefined;
        if (calls) return calls;
      } catch (error) {
        if (!(error instanceof RpcError)) trouble = error;
      }
    }
    if (trouble) throw trouble;
    return undefined;
  };
}

/** A node without the method refuses every block. Such a node is asked again after an hour. */
function createProbe(node: Rpc, ask: Tracer['probe']): () => Promise<boolean> {
  let known: { readonly canTrace: boolean; readonly until: number } | undefined;
  const probe = async (): Promise<boolean> => {
    try {
      await ask(node);
      return true;
    } catch (error) {
      if (error instanceof RpcError) return false;
      throw error;
    }
  };
  return async () => {
    if (known && known.until > performance.now()) return known.canTrace;
    known = { canTrace: await probe(), until: performance.now() + PROBED_EVERY_MS };
    return known.canTrace;
  };
}
