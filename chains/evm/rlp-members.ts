import { numberToHex } from 'viem/utils';
import type { Hex } from './call';
import type { FeeTerms } from './types';

/** What types of transactions that a network has invented have in common, before they are serialised. */
export type OwnTypeMembers = {
  readonly chainId: number;
  readonly nonce: number;
  readonly call: { readonly to: Hex; readonly value: bigint; readonly data: Hex };
  readonly fees: FeeTerms;
};

export type Rlp = Hex | readonly Rlp[];

/** An integer as RLP has it: without leading zeros, and nothing for zero. */
export const integer = (value: bigint | number): Hex => (BigInt(value) === 0n ? '0x' : numberToHex(value));

export const unitsOf = (member: Rlp | undefined): bigint =>
  BigInt(member === '0x' || typeof member !== 'string' ? 0 : (member as Hex));
