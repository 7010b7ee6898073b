/** A nonce gap blocks every later nonce, so the lowest free nonce is used first. */
export function lowestHole(taken: readonly number[], from: number): number {
  const used = new Set(taken);
  let nonce = from;
  while (used.has(nonce)) nonce += 1;
  return nonce;
}

/** A nonce of a separate count that an account keeps under a key of its choice; each key has a lane of its own. */
export type KeyedNonce = { readonly nonceKey: bigint; readonly nonce: number };
