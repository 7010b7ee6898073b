import { numberToHex } from 'viem/utils';
import type { Hex } from './call';
import type { FeeTerms } from './types';

export type OwnTypeMembers = {
  readonly chainId: number;
  readonly nonce: number;
  readonly call: { readonly to: Hex; readonly value: bigint; readonly data: Hex };
  readonly fees: FeeTerms;
};

export type Rlp = Hex | readonly Rlp[];

/** RLP writes an integer without leading zeros, and zero as empty bytes. */
export const integer = (value: bigint | number): Hex => (BigInt(value) === 0n ? '0x' : numberToHex(value));

/** The result is 0 for a list or a missing member. */
export const unitsOf = (member: Rlp | undefined): bigint =>
  BigInt(member === '0x' || typeof member !== 'string' ? 0 : (member as Hex));
