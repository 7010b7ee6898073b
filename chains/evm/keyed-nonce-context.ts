import type { KeyedNonce } from '../../domain/nonces';

/** The service stores this JSON with the bytes of the transaction that uses the nonce. */
export const keyedNonceContext = ({ nonceKey, nonce }: KeyedNonce) => ({ nonceKey: nonceKey.toString(), keyedNonce: nonce });

/** Undefined for any other context. */
export function keyedNonceIn(context: Readonly<Record<string, unknown>> | null): KeyedNonce | undefined {
  const { nonceKey, keyedNonce } = context ?? {};
  if (typeof nonceKey !== 'string' || typeof keyedNonce !== 'number') return undefined;
  return { nonceKey: BigInt(nonceKey), nonce: keyedNonce };
}
