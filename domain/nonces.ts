/** The lowest free nonce is used first, because a nonce gap blocks every later nonce. */
export function lowestHole(taken: readonly number[], from: number): number {
  const used = new Set(taken);
  let nonce = from;
  while (used.has(nonce)) nonce += 1;
  return nonce;
}

/** An account counts the nonces of each nonce key separately, so each nonce key has its own lane (queue of transactions). */
export type KeyedNonce = { readonly nonceKey: bigint; readonly nonce: number };
