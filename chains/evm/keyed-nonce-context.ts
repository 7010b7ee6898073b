import type { KeyedNonce } from '../../domain/nonces';

/** The nonce and its lane as JSON, to be stored with the bytes of a transaction whose nonce counts in a separate lane. */
export const keyedNonceContext = ({ nonceKey, nonce }: KeyedNonce) => ({ nonceKey: nonceKey.toString(), keyedNonce: nonce });

/** Reads the JSON of `keyedNonceContext`; undefined for any other context. */
export function keyedNonceIn(context: Readonly<Record<string, unknown>> | null): KeyedNonce | undefined {
  const { nonceKey, keyedNonce } = context ?? {};
  if (typeof nonceKey !== 'string' || typeof keyedNonce !== 'number') return undefined;
  return { nonceKey: BigInt(nonceKey), nonce: keyedNonce };
}
