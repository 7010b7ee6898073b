import { keccak_256 } from '@noble/hashes/sha3.js';
import { addr } from 'micro-eth-signer';
import type { UserCall } from '../../domain/transactions';
import type { UserOperation } from './types';

export const ENTRY_POINT = '4337084d9e255ff0702461cf8895ce9e3b5ff108';
export const OPERATION_TYPE =
  'PackedUserOperation(address sender,uint256 nonce,bytes initCode,bytes callData,bytes32 accountGasLimits,uint256 preVerificationGas,bytes32 gasFees,bytes paymasterAndData)';
const DOMAIN_TYPE = 'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)';
const WORD_CHARS = 64;
const CALLS_MAX = 256;

class NotUnderstood extends Error {}

const utf8 = (text: string) => Buffer.from(text, 'utf8');
const bytesOf = (hex: string) => Buffer.from(hex, 'hex');
const hash = (bytes: Uint8Array) => Buffer.from(keccak_256(bytes)).toString('hex');
const wordOf = (units: bigint | number) => units.toString(16).padStart(WORD_CHARS, '0');
const selectorOf = (signature: string) => hash(utf8(signature)).slice(0, 8);
const EXECUTE_BATCH = selectorOf('executeBatch((address,uint256,bytes)[])');
const HANDLE_OPS = selectorOf('handleOps((address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes)[],address)');

/**
 * Reads the 32-byte words of call data from front to back. In the service's encoding every value has exactly one place, so a
 * value in any other place is an error.
 */
function createWords(hex: string) {
  let at = 0;
  const take = (chars: number) => {
    const text = hex.slice(at, at + chars);
    if (text.length !== chars) throw new NotUnderstood();
    at += chars;
    return text;
  };
  const words = {
    word: () => take(WORD_CHARS),
    number: () => BigInt(`0x${take(WORD_CHARS)}`),
    exactly: (units: bigint | number) => {
      if (take(WORD_CHARS) !== wordOf(units)) throw new NotUnderstood();
    },
    address: () => {
      const word = take(WORD_CHARS);
      if (!word.startsWith('0'.repeat(24))) throw new NotUnderstood();
      return addr.addChecksum(`0x${word.slice(24)}`);
    },
    bytes: () => {
      const length = words.number();
      if (length > BigInt(hex.length)) throw new NotUnderstood();
      const chars = 2 * Number(length);
      const text = take(chars);
      const padding = (WORD_CHARS - (chars % WORD_CHARS)) % WORD_CHARS;
      if (take(padding) !== '0'.repeat(padding)) throw new NotUnderstood();
      return text;
    },
    end: () => {
      if (at !== hex.length) throw new NotUnderstood();
    },
  };
  return words;
}

const paddedBytes = (chars: number) => Math.ceil(chars / WORD_CHARS) * 32;

/**
 * The calls in the call data of `executeBatch`. Throws for any other call data, for an empty list of calls, and for more than
 * `CALLS_MAX` calls.
 */
export function callsIn(callData: string): UserCall[] {
  if (callData.slice(0, 8) !== EXECUTE_BATCH) throw new NotUnderstood();
  const words = createWords(callData.slice(8));
  words.exactly(32);
  const count = words.number();
  if (count === 0n || count > BigInt(CALLS_MAX)) throw new NotUnderstood();
  const offsets = Array.from({ length: Number(count) }, () => words.number());
  let place = 32n * count;
  const calls = offsets.map((offset) => {
    if (offset !== place) throw new NotUnderstood();
    const to = words.address();
    const valueUnits = words.number().toString();
    words.exactly(96);
    const data = words.bytes();
    place += BigInt(128 + paddedBytes(data.length));
    return { to, valueUnits, dataHex: `0x${data}` };
  });
  words.end();
  return calls;
}

type Sponsored = {
  readonly operation: UserOperation;
  readonly callData: string;
  readonly signatureHex: string;
  readonly sponsor: string;
};

function operationIn(data: string): Sponsored {
  if (data.slice(0, 8) !== HANDLE_OPS) throw new NotUnderstood();
  const words = createWords(data.slice(8));
  words.exactly(64);
  const sponsor = words.address();
  words.exactly(1);
  words.exactly(32);
  const [sender, nonce] = [words.address(), words.number()];
  // The operation has nine words. The operation's four byte strings follow, each after its length.
  words.exactly(288);
  words.exactly(320);
  const limits = words.word();
  words.exactly(0);
  words.exactly(0);
  const [paymasterAt, signatureAt] = [words.number(), words.number()];
  words.exactly(0);
  const callData = words.bytes();
  const behind = BigInt(320 + 32 + paddedBytes(callData.length));
  if (paymasterAt !== behind || signatureAt !== behind + 32n) throw new NotUnderstood();
  words.exactly(0);
  const signature = words.bytes();
  words.end();
  if (signature.length !== 130) throw new NotUnderstood();
  const [verificationGas, callGas] = [BigInt(`0x${limits.slice(0, 32)}`), BigInt(`0x${limits.slice(32)}`)];
  const operation = { sender, nonce, calls: callsIn(callData), verificationGas, callGas };
  return { operation, callData, signatureHex: `0x${signature}`, sponsor };
}

/** The digest that the operation's sender signs. */
function digestOf({ operation, callData }: Sponsored, chainId: number): string {
  const { sender, nonce, verificationGas, callGas } = operation;
  const nothing = hash(new Uint8Array());
  const limits = `${verificationGas.toString(16).padStart(32, '0')}${callGas.toString(16).padStart(32, '0')}`;
  const struct = [
    hash(utf8(OPERATION_TYPE)),
    wordOf(BigInt(sender)),
    wordOf(nonce),
    nothing,
    hash(bytesOf(callData)),
    limits,
    wordOf(0),
    wordOf(0),
    nothing,
  ].join('');
  const domain = [
    hash(utf8(DOMAIN_TYPE)),
    hash(utf8('ERC4337')),
    hash(utf8('1')),
    wordOf(chainId),
    ENTRY_POINT.padStart(WORD_CHARS, '0'),
  ].join('');
  return `0x${hash(bytesOf(`1901${hash(bytesOf(domain))}${hash(bytesOf(struct))}`))}`;
}

/** Undefined unless the call data has exactly the form that the service sends to the entry point. */
export function readSponsoredCall(
  dataHex: string,
  chainId: number,
): (Omit<Sponsored, 'callData'> & { readonly digestHex: string }) | undefined {
  try {
    const { callData, ...read } = operationIn(dataHex.slice(2));
    return { ...read, digestHex: digestOf({ callData, ...read }, chainId) };
  } catch (error) {
    if (error instanceof NotUnderstood) return undefined;
    throw error;
  }
}
