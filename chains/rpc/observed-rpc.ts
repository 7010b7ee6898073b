import type { OnRpcCall } from '../types';
import { NodesDisagree } from './quorum';
import { type Rpc, RpcError } from './rpc';

/** Reports each request once, however many nodes were queried. */
export function observedRpc(network: string, rpc: Rpc, onCall: OnRpcCall | undefined): Rpc {
  if (!onCall) return rpc;
  return async (method, params, result) => {
    const started = performance.now();
    const tell = (outcome: Parameters<OnRpcCall>[0]['outcome']) =>
      onCall({ network, method, outcome, seconds: (performance.now() - started) / 1_000 });
    try {
      const value = await rpc(method, params, result);
      tell('Answered');
      return value;
    } catch (error) {
      tell(outcomeOf(error));
      throw error;
    }
  };
}

function outcomeOf(error: unknown): 'Refused' | 'Disagreed' | 'Unavailable' {
  if (error instanceof RpcError) return 'Refused';
  return error instanceof NodesDisagree ? 'Disagreed' : 'Unavailable';
}
