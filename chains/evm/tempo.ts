import { concatHex, fromRlp, numberToHex, toRlp } from 'viem/utils';
import { asHex, type Hex } from './call';
import type { FeeTerms, Signature } from './types';

const TYPE = '0x76';

type Members = {
  readonly chainId: number;
  readonly nonce: number;
  readonly call: { readonly to: Hex; readonly value: bigint; readonly data: Hex };
  readonly fees: FeeTerms;
  readonly feeToken: string;
};
type Rlp = Hex | readonly Rlp[];

const integer = (value: bigint | number): Hex => (BigInt(value) === 0n ? '0x' : numberToHex(value));

/**
 * One call as a transaction of Tempo: `0x76 || rlp([chain_id, max_priority_fee_per_gas, max_fee_per_gas, gas_limit, calls, access_list,
 * nonce_key, nonce, valid_before, valid_after, fee_token, fee_payer_signature, authorization_list])`
 * (https://docs.tempo.xyz/protocol/transactions/spec-tempo-transaction). With the nonce key zero the nonce is the account's own, so that it
 * is claimed as on every other network.
 */
export function serializeTempo({ chainId, nonce, call, fees, feeToken }: Members): Hex {
  const { gas, maxFeePerGas, maxPriorityFeePerGas } = fees;
  const members: Rlp[] = [
    ...[chainId, maxPriorityFeePerGas, maxFeePerGas, gas].map(integer),
    [[call.to.toLowerCase() as Hex, integer(call.value), call.data]],
    [],
    integer(0),
    integer(nonce),
    '0x',
    '0x',
    asHex(feeToken.toLowerCase()),
    '0x',
    [],
  ];
  return concatHex([TYPE, toRlp(members)]);
}

export const isTempo = (bytes: Hex): boolean => bytes.startsWith(TYPE);

/** The signature is the last member: 65 bytes, of which the last is 27 or 28. */
export function attachTempo(bytes: Hex, { r, s, recoveryId }: Signature): Hex {
  const members = fromRlp(`0x${bytes.slice(TYPE.length)}`, 'hex') as Rlp[];
  return concatHex([TYPE, toRlp([...members, concatHex([asHex(r), asHex(s), numberToHex(27 + recoveryId, { size: 1 })])])]);
}
