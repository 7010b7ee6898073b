import { z } from 'zod';
import { parseStrictJson } from './strict-json';

/**
 * The origin in client data that `strongroom-verify` signed. No web page has this origin, so a page cannot produce such client
 * data.
 */
export const VERIFIER_ORIGIN = 'strongroom-verify';

const OfVerifier = z.object({
  type: z.literal('key.get'),
  origin: z.literal(VERIFIER_ORIGIN),
  /** SHA-256 of the lines that the person saw. */
  shownSha256: z.string().regex(/^[0-9a-f]{64}$/),
});
const OfPage = z.object({ type: z.literal('webauthn.get'), origin: z.string() });

/**
 * Whether the person signed in a client that shows the signed content: with a key in `strongroom-verify`, or with a passkey on a
 * page of `origins`. The caller verifies the signature.
 */
export function isSeenAssertion(kind: 'Fido2' | 'Key', clientData: string, origins: readonly string[]): boolean {
  const json = parseStrictJson(Buffer.from(clientData, 'base64url'));
  if (!json.ok) return false;
  if (kind === 'Key') return OfVerifier.safeParse(json.value).success;
  const page = OfPage.safeParse(json.value).data;
  return page !== undefined && origins.includes(page.origin);
}
