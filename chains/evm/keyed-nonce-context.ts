import type { KeyedNonce } from '../../domain/nonces';

/** Stored as JSON together with bytes whose nonce counts in a separate lane. */
export const keyedNonceContext = ({ nonceKey, nonce }: KeyedNonce) => ({ nonceKey: nonceKey.toString(), keyedNonce: nonce });

export function keyedNonceIn(context: Readonly<Record<string, unknown>> | null): KeyedNonce | undefined {
  const { nonceKey, keyedNonce } = context ?? {};
  if (typeof nonceKey !== 'string' || typeof keyedNonce !== 'number') return undefined;
  return { nonceKey: BigInt(nonceKey), nonce: keyedNonce };
}
