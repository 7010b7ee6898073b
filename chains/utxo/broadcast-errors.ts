import type { RpcError } from '../rpc/rpc';
import type { BroadcastOutcome } from '../types';

/**
 * Messages of `sendrawtransaction` (validation.cpp). Older nodes put different separators between some of the words. A spent or
 * unknown coin is reported as `NonceTooLow`.
 */
const WORDS: readonly (readonly [RegExp, BroadcastOutcome])[] = [
  [/already in (?:mempool|block chain|utxo set)|txn-already-(?:in-mempool|known)|outputs already in utxo set/i, 'AlreadyKnown'],
  [/inputs-?(?:missingorspent|spent)|missing-?inputs|missing inputs/i, 'NonceTooLow'],
  [/txn-mempool-conflict|bip125-replacement-disallowed/i, 'NonceTooLow'],
  [/min relay fee not met|mempool min fee not met|insufficient (?:fee|priority)|rejecting replacement/i, 'Underpriced'],
  [/bad-txns-in-belowout/i, 'InsufficientFunds'],
];

export function outcomeOf({ message, rpcCode }: RpcError): BroadcastOutcome {
  // RPC_VERIFY_ALREADY_IN_CHAIN (rpc/protocol.h).
  if (rpcCode === -27) return 'AlreadyKnown';
  const found = WORDS.find(([pattern]) => pattern.test(message));
  return found ? found[1] : { kind: 'Rejected', reason: message };
}
