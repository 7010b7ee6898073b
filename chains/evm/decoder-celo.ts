import { bytesIn, integerIn, listIn, readRlp } from './decoder-rlp';

export const CELO_PREFIX = '0x7b';
const MEMBERS = 10;

/** A Celo transaction of type 0x7b (CIP-64). Addresses are lower-case hex without 0x. */
export type CeloCall = {
  readonly chainId: bigint;
  readonly nonce: bigint;
  readonly gas: bigint;
  readonly tip: bigint;
  readonly maxFeePerGas: bigint;
  readonly to: string;
  readonly value: bigint;
  readonly data: string;
  readonly accessList: readonly { readonly address: string; readonly storageKeys: readonly string[] }[];
  readonly feeCurrency: string;
};

const ofLength = (bytes: number, hex: string): string => {
  if (hex.length !== bytes * 2) throw new Error('another length');
  return hex;
};

/** Throws unless the bytes are an unsigned transaction of type 0x7b. */
export function readCelo(bytesHex: string): CeloCall {
  if (!bytesHex.startsWith(CELO_PREFIX)) throw new Error('another type');
  const members = listIn(readRlp(bytesHex.slice(CELO_PREFIX.length)));
  if (members.length !== MEMBERS) throw new Error('signed, or of another form');
  const [chainId, nonce, tip, maxFee, gas, to, value, data, accessList, feeCurrency] = members;
  return {
    chainId: integerIn(chainId),
    nonce: integerIn(nonce),
    gas: integerIn(gas),
    tip: integerIn(tip),
    maxFeePerGas: integerIn(maxFee),
    to: bytesIn(to),
    value: integerIn(value),
    data: bytesIn(data),
    accessList: listIn(accessList).map((item) => {
      const [address, keys, ...others] = listIn(item);
      if (others.length > 0) throw new Error('another form of access');
      return {
        address: ofLength(20, bytesIn(address)),
        storageKeys: listIn(keys).map((key) => ofLength(32, bytesIn(key))),
      };
    }),
    feeCurrency: ofLength(20, bytesIn(feeCurrency)),
  };
}
