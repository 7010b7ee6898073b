import { numberToHex } from 'viem/utils';
import type { Hex } from './call';
import type { FeeTerms } from './types';

/** Members that all network-specific transaction types share, before serialisation. */
export type OwnTypeMembers = {
  readonly chainId: number;
  readonly nonce: number;
  readonly call: { readonly to: Hex; readonly value: bigint; readonly data: Hex };
  readonly fees: FeeTerms;
};

export type Rlp = Hex | readonly Rlp[];

/** An integer in RLP: without leading zeros, and empty for zero. */
export const integer = (value: bigint | number): Hex => (BigInt(value) === 0n ? '0x' : numberToHex(value));

/** The integer in a member; 0 for a list or a missing member. */
export const unitsOf = (member: Rlp | undefined): bigint =>
  BigInt(member === '0x' || typeof member !== 'string' ? 0 : (member as Hex));
