import { concatHex, fromRlp, toRlp } from 'viem/utils';
import type { EvmAccess } from '../../../domain/transactions';
import { asHex, type Hex } from '../call';
import { integer, type OwnTypeMembers, type Rlp, unitsOf } from '../rlp-members';
import type { Signature } from '../types';
import { CELO_TYPE } from './own-types';

const TYPE = CELO_TYPE.prefix;

type Members = OwnTypeMembers & {
  readonly feeCurrency: string;
  readonly accessList?: readonly EvmAccess[];
};

const lower = (text: string): Hex => asHex(text.toLowerCase());

/**
 * A Celo transaction that pays its fee in a token: `0x7b || rlp([chain_id, nonce, max_priority_fee_per_gas, max_fee_per_gas,
 * gas_limit, to, value, data, access_list, fee_currency])` (CIP-64,
 * https://github.com/celo-org/celo-proposals/blob/master/CIPs/cip-0064.md). Prices are in 10^-18 of the token.
 */
export function serializeCelo({ chainId, nonce, call, fees, feeCurrency, accessList = [] }: Members): Hex {
  const { gas, maxFeePerGas, maxPriorityFeePerGas } = fees;
  const members: Rlp[] = [
    ...[chainId, nonce, maxPriorityFeePerGas, maxFeePerGas, gas].map(integer),
    lower(call.to),
    integer(call.value),
    call.data,
    accessList.map(({ address, storageKeys }) => [lower(address), storageKeys.map(asHex)]),
    lower(feeCurrency),
  ];
  return concatHex([TYPE, toRlp(members)]);
}

/** Appends the signature as three integers: parity, `r` and `s`. */
export function attachCelo(bytes: Hex, { r, s, recoveryId }: Signature): Hex {
  const members = fromRlp(`0x${bytes.slice(TYPE.length)}`, 'hex') as Rlp[];
  return concatHex([TYPE, toRlp([...members, ...[recoveryId, BigInt(r), BigInt(s)].map(integer)])]);
}

const textOf = (member: Rlp | undefined): Hex => (typeof member === 'string' ? (member as Hex) : '0x');
const listOf = (member: Rlp | undefined): readonly Rlp[] => (Array.isArray(member) ? (member as readonly Rlp[]) : []);

/** Does not check the encoding: the caller serialises the members again and compares. */
export function membersOfCelo(bytes: Hex) {
  const members = fromRlp(`0x${bytes.slice(TYPE.length)}`, 'hex') as Rlp[];
  const [chainId, nonce, tip, maxFee, gas, to, value, data, accessList, feeCurrency] = members;
  return {
    chainId: Number(unitsOf(chainId)),
    nonce: Number(unitsOf(nonce)),
    to: textOf(to),
    value: unitsOf(value),
    data: textOf(data),
    accessList: listOf(accessList).map((one) => {
      const [address, keys] = listOf(one);
      return { address: textOf(address), storageKeys: listOf(keys).map(textOf) };
    }),
    feeCurrency: textOf(feeCurrency),
    fees: { gas: unitsOf(gas), maxFeePerGas: unitsOf(maxFee), maxPriorityFeePerGas: unitsOf(tip) },
  };
}
