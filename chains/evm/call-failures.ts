import type { NodeRefusal } from '../rpc/rpc';

/**
 * These codes always mean that the call itself failed. Geth returns 3 for a revert with data. Nethermind and Parity
 * return -32015.
 */
const CALL_CODES: ReadonlySet<number> = new Set([3, -32_015]);

/**
 * Parts of the messages with which each client reports that the call itself failed. Codes outside `CALL_CODES` do not prove such
 * a failure: clients also return -32603, -32000 and -32005 for a broken node. The comparison of the messages ignores case. The
 * comment above each list names the client's source files.
 */
export const CALL_FAILURES = {
  /**
   * core/vm/errors.go, core/error.go, eth/gasestimator/gasestimator.go. BSC, op-geth, Nitro, Sei and XDC have the same texts.
   */
  geth: [
    'execution reverted',
    'out of gas',
    'gas required exceeds allowance',
    'always failing transaction',
    'invalid opcode',
    'invalid jump destination',
    'stack underflow',
    'stack limit reached',
    'max call depth exceeded',
    'write protection',
    'return data out of bounds',
    'gas uint64 overflow',
    'nonce uint64 overflow',
    'nonce has max value',
    'contract address collision',
    'max code size exceeded',
    'max initcode size exceeded',
    'insufficient balance for transfer',
    'insufficient funds for transfer',
    'insufficient funds for gas * price + value',
    'intrinsic gas too low',
    'sender not an eoa',
    'exceeds block gas limit',
  ],
  /** core/vm/errors.go. */
  erigon: ['invalid subroutine entry', 'invalid retsub', 'return stack limit reached', 'authcall without setting authorized'],
  /**
   * crates/rpc/rpc-eth-types/src/error/mod.rs. If the EVM halts, the message is `EVM error:` and the name of the halt in the
   * Rust code.
   */
  reth: [
    'evm error:',
    'out of memory: memory limit exceeded during memory expansion',
    'intrinsic gas too high',
    'gas limit too high',
    'sender is not an eoa',
    'eip-7702 authorization list not supported',
    'eip-7702 authorization list has invalid fields',
  ],
  /** crates/anvil/src/eth/error.rs. Anvil reports a halt as an internal error (-32603). */
  anvil: [
    'evm error ',
    'transaction gas limit is greater than the block gas limit',
    'tempo transaction error',
    'insufficient fee token balance',
    'native value transfer not allowed',
  ],
  /** Nethermind.Evm: EvmException.cs, TransactionProcessor.cs; Nethermind.Blockchain: GasEstimator.cs; Nethermind.Facade. */
  nethermind: [
    'vm execution error',
    'revert',
    'badinstruction',
    'stackoverflow',
    'stackunderflow',
    'outofgas',
    'badjumpdestination',
    'invalidjumpdestination',
    'invalidsubroutine',
    'accessviolation',
    'staticcallviolation',
    'precompilefailure',
    'transaction execution fails',
    'transaction execution always fails',
    'cannot estimate gas',
    'block gas limit exceeded',
    'gas limit below intrinsic gas',
    'insufficient sender balance',
    'insufficient maxfeepergas for sender balance',
    'insufficient balance',
    'sender has deployed code',
    'nonce overflow',
  ],
  /** RpcErrorType.java, TransactionInvalidReason.java, ExceptionalHaltReason.java. */
  besu: [
    'execution reverted',
    'transaction processing could not be completed due to an exception',
    'insufficient_gas',
    'invalid_operation',
    'invalid_jump_destination',
    'illegal_state_change',
    'intrinsic gas exceeds gas limit',
    'upfront cost exceeds account balance',
    'exceeds transaction sender account balance',
    'transaction gas limit exceeds block gas limit',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Clients that are written in Rust send this text if their database failed during a call. The node is at fault, not the call. */
const OF_THE_NODE = /^evm error:? fatal ?external/i;
const PARTS: readonly string[] = Object.values(CALL_FAILURES).flat();

/** True if the call itself failed, so that the call would fail on every node. */
export function isCallFailure({ code, message }: NodeRefusal): boolean {
  if (OF_THE_NODE.test(message)) return false;
  const said = message.toLowerCase();
  return CALL_CODES.has(code) || PARTS.some((part) => said.includes(part));
}
