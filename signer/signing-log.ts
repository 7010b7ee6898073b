import { z } from 'zod';
import { DurableFile } from './durable-file';
import { TransferSignature } from './protocol';
import { refuseUnless } from './refusal';

const Digest = z.string().regex(/^[0-9a-f]{64}$/);

/** What a signature was given for. Digests are SHA-256; `claim` is network, sender and nonce. */
const Signed = z.strictObject({
  requestId: z.string(),
  intentId: z.string().optional(),
  orgId: z.string(),
  keyId: z.string(),
  intentDigest: Digest,
  payloadDigest: Digest,
  claim: z.string(),
});
export type Signed = z.infer<typeof Signed>;
const Entry = z.strictObject({ at: z.iso.datetime(), signed: Signed, result: TransferSignature });

type Known = { readonly payloadDigest: string; readonly result: TransferSignature; readonly durable: Promise<void> };

/**
 * Every signature ever given, so that a database that has forgotten a payment cannot have it signed a second time. The same
 * request for the same payload answers what was answered before.
 */
export interface SigningLog {
  readonly size: number;
  readonly tornBytes: number;
  /** Whether anything was ever signed under this request. */
  hasSigned(requestId: string): boolean;
  /** The signature this payload already has under this request; refuses when the request, intent or claim was used for another payload. */
  find(signed: Signed): Promise<TransferSignature | undefined>;
  /** Checks again, calls `sign` and takes request, intent and claim in one step without a gap; resolves once all stands on the medium. */
  record(signed: Signed, sign: () => TransferSignature): Promise<TransferSignature>;
  close(): Promise<void>;
}

const intentKey = ({ orgId, intentId }: Signed) => (intentId === undefined ? undefined : `${orgId} ${intentId}`);

export async function openSigningLog(path: string, onBroken: (cause: Error) => void): Promise<SigningLog> {
  const byRequest = new Map<string, Known>();
  const byIntent = new Map<string, Known>();
  const byClaim = new Map<string, Known>();

  const index = (signed: Signed, known: Known) => {
    byRequest.set(signed.requestId, known);
    byClaim.set(signed.claim, known);
    const intent = intentKey(signed);
    if (intent !== undefined) byIntent.set(intent, known);
  };
  const file = await DurableFile.open(
    path,
    (line) => {
      const { signed, result } = Entry.parse(line);
      index(signed, { payloadDigest: signed.payloadDigest, result, durable: Promise.resolve() });
    },
    onBroken,
  );

  const lookUp = (signed: Signed): Known | undefined => {
    const same = (known: Known | undefined) => known === undefined || known.payloadDigest === signed.payloadDigest;
    const intent = intentKey(signed);
    refuseUnless(same(byRequest.get(signed.requestId)), 'RequestIdReused');
    refuseUnless(intent === undefined || same(byIntent.get(intent)), 'IntentSignedAlready');
    refuseUnless(same(byClaim.get(signed.claim)), 'NonceSignedAlready');
    return byRequest.get(signed.requestId);
  };
  const settled = async ({ result, durable }: Known) => {
    await durable;
    return result;
  };

  return {
    get size() {
      return byRequest.size;
    },
    tornBytes: file.tornBytes,
    hasSigned: (requestId) => byRequest.has(requestId),
    async find(signed) {
      const known = lookUp(signed);
      return known && settled(known);
    },
    async record(signed, sign) {
      const known = lookUp(signed);
      if (known) return settled(known);
      // Another request for the very same bytes gets no second signature, but is remembered with the first.
      const result = byClaim.get(signed.claim)?.result ?? sign();
      const durable = file.append({ at: new Date().toISOString(), signed, result });
      const entry = { payloadDigest: signed.payloadDigest, result, durable };
      index(signed, entry);
      return settled(entry);
    },
    close: () => file.close(),
  };
}
