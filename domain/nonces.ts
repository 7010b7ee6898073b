/** A hole blocks every later nonce, so the lowest free one always goes first. */
export function lowestHole(taken: readonly number[], from: number): number {
  const used = new Set(taken);
  let nonce = from;
  while (used.has(nonce)) nonce += 1;
  return nonce;
}
