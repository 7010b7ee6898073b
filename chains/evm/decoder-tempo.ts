import { bytesIn, integerIn, listIn, readRlp } from './decoder-rlp';

export const TEMPO_PREFIX = '0x76';
const MEMBERS = 13;
/** A transaction with this nonce key has an expiry time instead of a nonce (TIP-1009). */
const EXPIRING = 2n ** 256n - 1n;

/** A Tempo transaction with one call. Addresses are lower-case hex without 0x. */
export type TempoCall = {
  readonly chainId: bigint;
  readonly nonceKey: bigint;
  readonly nonce: bigint;
  readonly gas: bigint;
  readonly maxFeePerGas: bigint;
  readonly to: string;
  readonly value: bigint;
  readonly data: string;
  readonly feeToken: string;
  /** The names of the members whose values are not allowed in a transfer. */
  readonly surplus: readonly string[];
};

/** Throws unless the bytes are an unsigned transaction of type 0x76 with exactly one call. */
export function readTempo(bytesHex: string): TempoCall {
  if (!bytesHex.startsWith(TEMPO_PREFIX)) throw new Error('another type');
  const members = listIn(readRlp(bytesHex.slice(TEMPO_PREFIX.length)));
  // Any additional member would be a signature or a key authorization.
  if (members.length !== MEMBERS) throw new Error('signed, or of another form');
  const [chainId, tip, maxFee, gas, calls, accessList, nonceKey, nonce, before, after, feeToken, feePayer, authorizations] =
    members;
  const [call, ...others] = listIn(calls).map(listIn);
  if (call?.length !== 3 || others.length > 0) throw new Error('not one call');
  const [to, value, data] = call;
  const surplus = [
    ...(listIn(accessList).length > 0 ? ['access list'] : []),
    ...(integerIn(nonceKey) === EXPIRING ? ['nonce key'] : []),
    ...(bytesIn(before) === '' && bytesIn(after) === '' ? [] : ['validity']),
    ...(bytesIn(feePayer) === '' ? [] : ['fee payer']),
    ...(listIn(authorizations).length > 0 ? ['authorization'] : []),
    ...(integerIn(tip) > integerIn(maxFee) ? ['tip'] : []),
  ];
  return {
    chainId: integerIn(chainId),
    nonceKey: integerIn(nonceKey),
    nonce: integerIn(nonce),
    gas: integerIn(gas),
    maxFeePerGas: integerIn(maxFee),
    to: bytesIn(to),
    value: integerIn(value),
    data: bytesIn(data),
    feeToken: bytesIn(feeToken),
    surplus,
  };
}
