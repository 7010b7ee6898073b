/** Pieces of EVM code, as hex without 0x. A program runs as the init code of a contract. */
const WORD_BYTES = 32;
const PUSH1 = 0x60;

const hexOf = (value: bigint | number, bytes: number) => value.toString(16).padStart(bytes * 2, '0');
const push = (hex: string) => (PUSH1 + hex.length / 2 - 1).toString(16) + hex;
const pushNumber = (value: bigint | number, bytes = 4) => push(hexOf(value, bytes));
const pushAddress = (address: string) => push(address.slice(2).toLowerCase());

/** Writes the bytes to the beginning of the memory. */
function inMemory(data: string): string {
  const words = data.match(/.{1,64}/g) ?? [];
  return words.map((word, at) => `${push(word.padEnd(WORD_BYTES * 2, '0'))}${pushNumber(at * WORD_BYTES)}52`).join('');
}

const sizeOf = (data: string) => pushNumber(data.length / 2);
const CALLS = { CALL: 'f1', CALLCODE: 'f2', DELEGATECALL: 'f4', STATICCALL: 'fa' } as const;
export type CallOp = keyof typeof CALLS;

export const STOP = '00';
/** Undoes everything that the call or the creation has done. */
export const REVERT = '5f5ffd';
/** Like `REVERT`, and uses up all gas. */
export const INVALID = 'fe';
export const selfDestruct = (heir: string) => `${pushAddress(heir)}ff`;

export function call(op: CallOp, to: string, value: bigint, data = ''): string {
  const paid = op === 'CALL' || op === 'CALLCODE' ? pushNumber(value, 16) : '';
  return `${inMemory(data)}5f5f${sizeOf(data)}5f${paid}${pushAddress(to)}5a${CALLS[op]}50`;
}

export const create = (value: bigint, code: string) => `${inMemory(code)}${sizeOf(code)}5f${pushNumber(value, 16)}f050`;
export const createTwo = (value: bigint, code: string, salt: number) =>
  `${inMemory(code)}${pushNumber(salt)}${sizeOf(code)}5f${pushNumber(value, 16)}f550`;

/** Topics and data are hex without 0x. */
export const log = (topics: readonly string[], data: string) =>
  `${inMemory(data)}${[...topics].reverse().map(push).join('')}${sizeOf(data)}5f${(0xa0 + topics.length).toString(16)}`;

/** Runs the data of the call as the init code of a new contract, which gets the value of the call. */
export const RUNNER = '365f5f37365f34f000';
/** Pays the amount in the second word of the data to the address in the first word. */
export const SPENDER = '5f5f5f5f6020355f355af100';

/** The init code that deploys `code`. */
export const deploying = (code: string) => `0x${pushNumber(code.length / 2)}80600c5f395ff3${code}`;
