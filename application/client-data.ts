import { z } from 'zod';
import { parseStrictJson } from '../platform/strict-json';

/** The published key signer sends only `type` and `challenge`. */
const ClientData = z.object({
  type: z.literal('key.get'),
  challenge: z.string(),
  origin: z.string().optional(),
  crossOrigin: z.literal(false).optional(),
});

/** The challenge of received client data and the exact bytes that were signed; undefined for anything else than a key assertion. */
export function readClientData(base64url: string): { readonly challenge: string; readonly bytes: Buffer } | undefined {
  const bytes = Buffer.from(base64url, 'base64url');
  const json = parseStrictJson(bytes);
  if (!json.ok) return undefined;
  const parsed = ClientData.safeParse(json.value);
  return parsed.success ? { challenge: parsed.data.challenge, bytes } : undefined;
}
