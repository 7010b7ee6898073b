/** The signer refuses an order that is older than this. */
const ORDER_LIFE_MS = 60_000;

/** The time within which the signer may carry out an order that is made now. */
export function lifeOfOrder(): { readonly issuedAt: string; readonly notAfter: string } {
  const now = Date.now();
  return { issuedAt: new Date(now).toISOString(), notAfter: new Date(now + ORDER_LIFE_MS).toISOString() };
}
