import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, concat, type Hex, hexToBytes, toRlp } from 'viem';
import type { TransactionReply } from './block-schemas';

export type Item = Hex | readonly Item[];
export type Text = string | null | undefined;

const WORD_CHARS = 64;

export const accessListOf = ({ accessList }: TransactionReply): Item =>
  (accessList ?? []).map(({ address, storageKeys }) => [data(address), storageKeys.map(data)]);

export const typed = (type: string, bytes: Hex): Hex =>
  BigInt(type) === 0n ? bytes : concat([`0x${type.slice(2).padStart(2, '0')}`, bytes]);
export const rlp = (items: readonly Item[]): Hex => toRlp(items as Parameters<typeof toRlp>[0], 'hex') as Hex;
export const hashed = (bytes: Hex): string => bytesToHex(keccak_256(hexToBytes(bytes)));
export const data = (text: Text): Hex => (text ?? '0x') as Hex;

/** The number has no leading zeros, and zero is the empty string. */
export function quantity(text: Text): Hex {
  const digits = (text ?? '0x').slice(2).replace(/^0+/, '');
  return `0x${digits.length % 2 === 0 ? digits : `0${digits}`}`;
}

/** The number has leading zeros. */
export const paddedWord = (text: string): Hex => `0x${text.slice(2).padStart(WORD_CHARS, '0')}`;
