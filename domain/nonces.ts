/** A hole blocks every later nonce, so the lowest free one always goes first. */
export function lowestHole(taken: readonly number[], from: number): number {
  const used = new Set(taken);
  let nonce = from;
  while (used.has(nonce)) nonce += 1;
  return nonce;
}

/** A nonce that an account counts apart for a key of its choice (Tempo). */
export type KeyedNonce = { readonly nonceKey: bigint; readonly nonce: number };

/** What is kept beside bytes whose nonce counts in such a lane, as JSON. */
export const keyedNonceContext = ({ nonceKey, nonce }: KeyedNonce) => ({ nonceKey: nonceKey.toString(), keyedNonce: nonce });

export function keyedNonceIn(context: Readonly<Record<string, unknown>> | null): KeyedNonce | undefined {
  const { nonceKey, keyedNonce } = context ?? {};
  if (typeof nonceKey !== 'string' || typeof keyedNonce !== 'number') return undefined;
  return { nonceKey: BigInt(nonceKey), nonce: keyedNonce };
}
