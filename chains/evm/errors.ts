import { AppError } from '../../domain/errors';
import { INTERNAL_FAULT } from '../rpc/internal-faults';
import { type NodeRefusal, type Rpc, RpcError } from '../rpc/rpc';
import type { BroadcastOutcome } from '../types';
import { isCallFailure } from './call-failures';

/** Messages of geth, its forks, Nethermind, Erigon, Besu and anvil; the first row that matches wins. */
const BROADCAST_WORDS: readonly (readonly [RegExp, BroadcastOutcome | 'Unavailable'])[] = [
  [/already known|already imported|known transaction|already in (?:the )?(?:mem)?pool/i, 'AlreadyKnown'],
  [/nonce (?:is )?too low|old ?nonce|nonce .*already/i, 'NonceTooLow'],
  [/insufficient (?:funds|balance)|upfront cost|overshot/i, 'InsufficientFunds'],
  [
    /underpriced|fee too low|fee cap (?:is )?less|less than block base fee|below base fee|too low to (?:compete|replace)/i,
    'Underpriced',
  ],
  [/pool is full|pool full|time ?out|try again|limit|syncing|unavailable/i, 'Unavailable'],
];

const meaningOf = (message: string) => BROADCAST_WORDS.find(([words]) => words.test(message))?.[1];

/** Classifies a node's refusal of a transaction. A refusal that concerns the node throws `NetworkUnavailable`. */
export function outcomeOf(network: string, error: RpcError): BroadcastOutcome {
  const outcome = meaningOf(error.message);
  if (outcome === 'Unavailable') {
    throw new AppError('NetworkUnavailable', `The node of ${network} accepts no transactions at present`, { network }, error);
  }
  return outcome ?? { kind: 'Rejected', reason: error.message };
}

/** Tells whether a refusal concerns the call or transaction, regardless of its code: every other node would refuse it, too. */
export function isOfCall(refusal: NodeRefusal): boolean {
  const meaning = meaningOf(refusal.message);
  return isCallFailure(refusal) || (meaning !== undefined && meaning !== 'Unavailable');
}

/** An internal error arrives here only after several nodes have reported the same one. */
const hasFailed = ({ rpcCode: code, message }: RpcError): boolean => code === INTERNAL_FAULT || isCallFailure({ code, message });

/** Returns `TransferWouldFail` for an estimate that fails because of the transfer; any other error is the node's own. */
export function estimateFailure(network: string, error: unknown): unknown {
  if (!(error instanceof RpcError)) return error;
  if (hasFailed(error)) {
    return new AppError('TransferWouldFail', `The network reports that this transfer would fail: ${error.message}`, { network });
  }
  return new AppError('NetworkUnavailable', `The node of ${network} could not estimate the fee`, { network }, error);
}

/** Returns `CallReverted` for a read that the contract itself rejects; any other error is the node's own. */
export function callFailure(network: string, error: unknown): unknown {
  if (!(error instanceof RpcError)) return error;
  if (hasFailed(error)) {
    return new AppError('CallReverted', `The contract refuses this call: ${error.message}`, { network, reason: error.message });
  }
  return new AppError('NetworkUnavailable', `The node of ${network} could not execute the call`, { network }, error);
}

/** The same requests for callers whose requests cannot be at fault: a refusal becomes `NetworkUnavailable`. */
export function neverRefused(network: string, rpc: Rpc): Rpc {
  return async (method, params, result) => {
    try {
      return await rpc(method, params, result);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      throw new AppError('NetworkUnavailable', `The node of ${network} refused ${method}`, { network, method }, error);
    }
  };
}
