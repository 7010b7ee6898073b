import { concatHex, decodeFunctionData, encodeFunctionData, hashTypedData, numberToHex, parseAbi } from 'viem/utils';
import { invariant } from '../../domain/errors';
import type { UserCall } from '../../domain/transactions';
import { asHex, type Hex } from './call';
import type { Signature, UserOperation } from './types';

/**
 * EntryPoint and Simple7702Account 0.8.0: https://github.com/eth-infinitism/account-abstraction/releases/tag/v0.8.0. The
 * published bytecode has these addresses on every chain (CREATE2 through 0x4e59b44847b379578588920cA78FbF26c0B4956C).
 */
export const ENTRY_POINT = '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108';
export const DELEGATE = '0xe6Cae83BdE06E4c305530e199D7217f42808555B';

const ABI = parseAbi([
  'struct Call { address target; uint256 value; bytes data; }',
  'struct Packed { address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 accountGasLimits; uint256 preVerificationGas; bytes32 gasFees; bytes paymasterAndData; bytes signature; }',
  'function executeBatch(Call[] calls)',
  'function getNonce(address sender, uint192 key) view returns (uint256)',
  'function handleOps(Packed[] ops, address beneficiary)',
]);
/** The members that a sender signs under ERC-4337, entry point 0.8. */
export const OPERATION_TYPES = {
  PackedUserOperation: [
    { name: 'sender', type: 'address' },
    { name: 'nonce', type: 'uint256' },
    { name: 'initCode', type: 'bytes' },
    { name: 'callData', type: 'bytes' },
    { name: 'accountGasLimits', type: 'bytes32' },
    { name: 'preVerificationGas', type: 'uint256' },
    { name: 'gasFees', type: 'bytes32' },
    { name: 'paymasterAndData', type: 'bytes' },
  ],
} as const;

/** The account executes all calls in order, or none. */
export function batchOf(calls: readonly UserCall[]): string {
  const batch = calls.map(({ to, valueUnits, dataHex }) => ({
    target: asHex(to),
    value: BigInt(valueUnits),
    data: asHex(dataHex),
  }));
  return encodeFunctionData({ abi: ABI, functionName: 'executeBatch', args: [batch] });
}

const half = (units: bigint) => numberToHex(units, { size: 16 });

function messageOf({ sender, nonce, calls, verificationGas, callGas }: UserOperation) {
  return {
    sender: asHex(sender),
    nonce,
    initCode: '0x' as Hex,
    callData: asHex(batchOf(calls)),
    accountGasLimits: concatHex([half(verificationGas), half(callGas)]),
    preVerificationGas: 0n,
    // With a price of zero the entry point charges the account nothing.
    gasFees: numberToHex(0, { size: 32 }),
    paymasterAndData: '0x' as Hex,
  };
}

const digestOf = (message: ReturnType<typeof messageOf>, chainId: number) =>
  hashTypedData({
    domain: { name: 'ERC4337', version: '1', chainId, verifyingContract: ENTRY_POINT },
    types: OPERATION_TYPES,
    primaryType: 'PackedUserOperation',
    message,
  });

/** EIP-712 under the entry point's domain (ERC-4337, version 0.8). */
export const userOperationDigest = (operation: UserOperation, chainId: number): string => digestOf(messageOf(operation), chainId);

/** `signatureHex` is r, s and v (27 or 28). Any refund goes to the sponsor. */
export const sponsoredCall = (operation: UserOperation, signatureHex: string, sponsor: string): string =>
  encodeFunctionData({
    abi: ABI,
    functionName: 'handleOps',
    args: [[{ ...messageOf(operation), signature: asHex(signatureHex) }], asHex(sponsor)],
  });

/**
 * Puts the signature into the operation. Throws for call data without an operation. The caller checks that the returned sender
 * has signed the returned digest.
 */
export function withOperationSignature(dataHex: string, chainId: number, { r, s, recoveryId }: Signature) {
  const decoded = decodeFunctionData({ abi: ABI, data: asHex(dataHex) });
  invariant(decoded.functionName === 'handleOps', 'the call data carry an operation');
  const [[packed], beneficiary] = decoded.args;
  invariant(packed, 'the call data carry an operation');
  const signature = concatHex([asHex(r), asHex(s), numberToHex(27 + recoveryId, { size: 1 })]);
  return {
    sender: packed.sender,
    digestHex: digestOf(packed, chainId),
    dataHex: encodeFunctionData({ abi: ABI, functionName: 'handleOps', args: [[{ ...packed, signature }], beneficiary] }),
  };
}

const SEQUENCE_BITS = 64n;

/**
 * Call data that requests the sender's next nonce under the same key. The key is the upper bits of `nonce`. The result of the
 * call differs from `nonce` as soon as `nonce` is used.
 */
export const nonceQuestion = (sender: string, nonce: bigint): string =>
  encodeFunctionData({ abi: ABI, functionName: 'getNonce', args: [asHex(sender), nonce >> SEQUENCE_BITS] });

/** Undefined if the call data does not contain an operation. */
export function senderAndNonceIn(dataHex: string): Pick<UserOperation, 'sender' | 'nonce'> | undefined {
  try {
    const decoded = decodeFunctionData({ abi: ABI, data: asHex(dataHex) });
    const [packed] = decoded.functionName === 'handleOps' ? decoded.args[0] : [];
    return packed && { sender: packed.sender, nonce: packed.nonce };
  } catch {
    return undefined;
  }
}
