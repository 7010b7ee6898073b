import { z } from 'zod';
import { parseStrictJson } from './strict-json';

/** The key signer of the vendor's published client sends only `type` and `challenge`, so the other members are optional. */
const ClientData = z.object({
  type: z.enum(['key.get', 'key.create']),
  challenge: z.string(),
  origin: z.string().max(2_048).optional(),
  crossOrigin: z.literal(false).optional(),
});

type ReceivedClientData = {
  readonly challenge: string;
  readonly origin: string;
  /** The signed bytes. */
  readonly bytes: Buffer;
};

/** Undefined if the client data is malformed or has a different type. */
export function readClientData(base64url: string, type: 'key.get' | 'key.create'): ReceivedClientData | undefined {
  const bytes = Buffer.from(base64url, 'base64url');
  const json = parseStrictJson(bytes);
  if (!json.ok) return undefined;
  const parsed = ClientData.safeParse(json.value);
  if (!parsed.success || parsed.data.type !== type) return undefined;
  return { challenge: parsed.data.challenge, origin: parsed.data.origin ?? '', bytes };
}
