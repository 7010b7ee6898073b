import { AppError } from '../../domain/errors';
import { INTERNAL_FAULT } from '../rpc/internal-faults';
import { type NodeRefusal, type Rpc, RpcError } from '../rpc/rpc';
import type { BroadcastOutcome } from '../types';
import { isCallFailure } from './call-failures';

/** Messages of geth, its forks, Nethermind, Erigon, Besu and anvil. The first matching row determines the outcome. */
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

/** The outcome of a broadcast that the node refused. Throws `NetworkUnavailable` if the reason is the state of the node. */
export function outcomeOf(network: string, error: RpcError): BroadcastOutcome {
  const outcome = meaningOf(error.message);
  if (outcome === 'Unavailable') {
    throw new AppError('NetworkUnavailable', `The node of ${network} accepts no transactions at present`, { network }, error);
  }
  return outcome ?? { kind: 'Rejected', reason: error.message };
}

/** True if every other node would refuse the call or transaction as well. */
export function isOfCall(refusal: NodeRefusal): boolean {
  const meaning = meaningOf(refusal.message);
  return isCallFailure(refusal) || (meaning !== undefined && meaning !== 'Unavailable');
}

/** An internal error arrives here only after several nodes reported the same error, so the call failed. */
const hasFailed = ({ rpcCode: code, message }: RpcError): boolean => code === INTERNAL_FAULT || isCallFailure({ code, message });

/**
 * Turns a refusal into an error: `TransferWouldFail` if the transfer itself would fail, and `NetworkUnavailable` for any other
 * refusal. Returns every other error unchanged.
 */
export function estimateFailure(network: string, error: unknown): unknown {
  if (!(error instanceof RpcError)) return error;
  if (hasFailed(error)) {
    return new AppError('TransferWouldFail', `The network reports that this transfer would fail: ${error.message}`, { network });
  }
  return new AppError('NetworkUnavailable', `The node of ${network} could not estimate the fee`, { network }, error);
}

/**
 * Turns a refusal into an error: `CallReverted` if the call itself failed, and `NetworkUnavailable` for any other refusal.
 * Returns every other error unchanged.
 */
export function callFailure(network: string, error: unknown): unknown {
  if (!(error instanceof RpcError)) return error;
  if (hasFailed(error)) {
    return new AppError('CallReverted', `The contract refuses this call: ${error.message}`, { network, reason: error.message });
  }
  return new AppError('NetworkUnavailable', `The node of ${network} could not execute the call`, { network }, error);
}

/** Wraps `rpc` for requests that a working node never refuses: a refusal becomes `NetworkUnavailable`. */
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
