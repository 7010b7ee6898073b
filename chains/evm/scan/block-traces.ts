import { type Rpc, RpcError } from '../../rpc/rpc';
import { BlockTraceReply, type FullBlockReply, type TraceFrame } from './block-schemas';

const PROBED_EVERY_MS = 3_600_000;
const TRACER = { tracer: 'callTracer' };

export type TracesOf = (block: FullBlockReply) => Promise<readonly TraceFrame[] | undefined>;

/**
 * Returns one frame for each transaction, from the first node that has a frame for every transaction. Returns undefined if no
 * node has all frames and at least one node has replied: most nodes keep the state for traces only for new blocks.
 */
export function createTraces(nodes: readonly Rpc[]): TracesOf {
  const tracers = nodes.map((node) => ({ node, canTrace: createTraceProbe(node) }));
  return async ({ hash, transactions: { length } }) => {
    if (length === 0) return undefined;
    let trouble: unknown;
    let isMissing = false;
    for (const { node, canTrace } of tracers) {
      try {
        const traced = (await canTrace()) ? await node('debug_traceBlockByHash', [hash, TRACER], BlockTraceReply) : [];
        const frames = traced.map(({ result }) => result).filter((frame) => frame !== undefined);
        if (frames.length === length) return frames;
        isMissing = true;
      } catch (error) {
        if (error instanceof RpcError) isMissing = true;
        else trouble = error;
      }
    }
    if (trouble && !isMissing) throw trouble;
    return undefined;
  };
}

/** A node without the tracer refuses every block. Such a node is asked again after an hour. */
function createTraceProbe(node: Rpc): () => Promise<boolean> {
  let known: { readonly canTrace: boolean; readonly until: number } | undefined;
  const probe = async (): Promise<boolean> => {
    try {
      await node('debug_traceBlockByNumber', ['latest', TRACER], BlockTraceReply);
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
