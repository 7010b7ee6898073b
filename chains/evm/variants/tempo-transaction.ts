import { concatHex, fromRlp, numberToHex, toRlp } from 'viem/utils';
import { asHex, type Hex } from '../call';
import { integer, type OwnTypeMembers, type Rlp, unitsOf } from '../rlp-members';
import type { Signature } from '../types';
import { TEMPO_TYPE } from './own-types';

const TYPE = TEMPO_TYPE.prefix;

type Members = OwnTypeMembers & { readonly feeToken: string; readonly nonceKey?: bigint };

/**
 * `0x76 || rlp([chain_id, max_priority_fee_per_gas, max_fee_per_gas, gas_limit, calls, access_list, nonce_key, nonce,
 * valid_before, valid_after, fee_token, fee_payer_signature, authorization_list])`
 * (https://docs.tempo.xyz/protocol/transactions/spec-tempo-transaction). The nonce key 0 means the account's own nonce.
 */
export function serializeTempo({ chainId, nonce, call, fees, feeToken, nonceKey = 0n }: Members): Hex {
  const { gas, maxFeePerGas, maxPriorityFeePerGas } = fees;
  const members: Rlp[] = [
    ...[chainId, maxPriorityFeePerGas, maxFeePerGas, gas].map(integer),
    [[call.to.toLowerCase() as Hex, integer(call.value), call.data]],
    [],
    integer(nonceKey),
    integer(nonce),
    '0x',
    '0x',
    asHex(feeToken.toLowerCase()),
    '0x',
    [],
  ];
  return concatHex([TYPE, toRlp(members)]);
}

/** Does not check the encoding: the caller serialises the members again and compares. */
export function membersOfTempo(bytes: Hex) {
  const [chainId, tip, maxFee, gas, calls, , nonceKey, nonce] = fromRlp(`0x${bytes.slice(TYPE.length)}`, 'hex') as Rlp[];
  const [call] = (Array.isArray(calls) ? calls : []) as Rlp[];
  const [to, value, data] = (Array.isArray(call) ? call : []) as Hex[];
  return {
    chainId: Number(unitsOf(chainId)),
    to: to ?? '0x',
    value: unitsOf(value),
    data: data ?? '0x',
    nonceKey: unitsOf(nonceKey),
    nonce: Number(unitsOf(nonce)),
    fees: { gas: unitsOf(gas), maxFeePerGas: unitsOf(maxFee), maxPriorityFeePerGas: unitsOf(tip) },
  };
}

/** The signature has 65 bytes, and its last byte is 27 or 28. */
export function attachTempo(bytes: Hex, { r, s, recoveryId }: Signature): Hex {
  const members = fromRlp(`0x${bytes.slice(TYPE.length)}`, 'hex') as Rlp[];
  return concatHex([TYPE, toRlp([...members, concatHex([asHex(r), asHex(s), numberToHex(27 + recoveryId, { size: 1 })])])]);
}
