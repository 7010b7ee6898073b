import { z } from 'zod';
import { parseStrictJson } from './strict-json';

/** The origin in client data that `strongroom-verify` signed. No page can sign with it, because it is no origin of the web. */
export const VERIFIER_ORIGIN = 'strongroom-verify';

const OfVerifier = z.object({
  type: z.literal('key.get'),
  origin: z.literal(VERIFIER_ORIGIN),
  /** SHA-256 of the lines that the person saw. */
  shownSha256: z.string().regex(/^[0-9a-f]{64}$/),
});
const OfPage = z.object({ type: z.literal('webauthn.get'), origin: z.string() });

/**
 * Whether the person signed in a client that shows what is signed: in `strongroom-verify` with a key, or with a passkey on one of
 * these pages. The caller verifies the signature.
 */
export function isSeenAssertion(kind: 'Fido2' | 'Key', clientData: string, origins: readonly string[]): boolean {
  const json = parseStrictJson(Buffer.from(clientData, 'base64url'));
  if (!json.ok) return false;
  if (kind === 'Key') return OfVerifier.safeParse(json.value).success;
  const page = OfPage.safeParse(json.value).data;
  return page !== undefined && origins.includes(page.origin);
}
