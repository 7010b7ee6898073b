/** A gap blocks every later nonce, so the lowest free one always goes first. */
export function lowestHole(taken: readonly number[], from: number): number {
  const used = new Set(taken);
  let nonce = from;
  while (used.has(nonce)) nonce += 1;
  return nonce;
}

/** A nonce that an account counts separately for a key of its choice, in a lane of its own. */
export type KeyedNonce = { readonly nonceKey: bigint; readonly nonce: number };
