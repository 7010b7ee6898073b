import { z } from 'zod';
import { PayloadSignature, TransferSignature } from '../protocol';
import { refuseUnless } from '../wire/refusal';
import { readLines } from './chained-lines';
import { DurableFile, type FileOptions } from './durable-file';
import { EvidenceList } from './evidence';
import { withoutOldEvidence } from './evidence-retention';

const Digest = z.string().regex(/^[0-9a-f]{64}$/);

/**
 * Digests are SHA-256. `claim` is network, sender and nonce of a transaction; `claims` are the coins or other resources that
 * the transaction uses up. `replaces` names the request that competes with this request for the same claims (S5).
 */
const Signed = z.strictObject({
  requestId: z.string(),
  intentId: z.string().optional(),
  orgId: z.string(),
  keyId: z.string(),
  intentDigest: Digest,
  payloadDigest: Digest,
  claim: z.string().optional(),
  claims: z.array(z.string()).optional(),
  replaces: z.string().optional(),
});
export type Signed = z.infer<typeof Signed>;
const Grounds = { evidence: EvidenceList.optional(), policyEpoch: z.int().optional() };
export type LoggedGrounds = z.infer<z.ZodObject<typeof Grounds>>;
const SignedEntry = z.strictObject({
  at: z.iso.datetime(),
  signed: Signed,
  /** Older entries for transfers name their single signature directly. */
  result: z.union([
    PayloadSignature,
    TransferSignature.transform(({ signature, digestHex }) => ({ digestHex, signatures: [signature] })),
  ]),
  ...Grounds,
});
/**
 * The promise never to sign for one request. An entry of an older version names no organisation and applies to all
 * organisations.
 */
const WithdrawnEntry = z.strictObject({ at: z.iso.datetime(), withdrawn: z.string(), orgId: z.string().optional() });
const Entry = z.union([SignedEntry, WithdrawnEntry]);

type Known = {
  readonly requestId: string;
  readonly payloadDigest: string;
  readonly result: PayloadSignature;
  readonly durable: Promise<void>;
};

/** Shared by all entries that were read at the start, because there may be a million such entries. */
const DURABLE = Promise.resolve();

/** The log compares ids, intents and claims only within one organisation. */
export type LoggedRequest = { readonly orgId: string; readonly requestId: string };

/**
 * The log of every signature ever made. A database that has forgotten a payment cannot get a second signature for the payment.
 * The same request for the same payload gets the earlier signature.
 */
export interface SigningLog {
  readonly size: number;
  readonly tornBytes: number;
  hasSigned(request: LoggedRequest): boolean;
  /**
   * Refuses the request from this call on, and resolves once the refusal is durable. Returns false if the request already has a
   * signature.
   */
  withdraw(request: LoggedRequest): Promise<boolean>;
  /**
   * Returns the earlier signature of this payload under this request. Refuses a withdrawn request, a replacement without a
   * shared claim, and a request, intent or claim of another payload. `replaces` permits claims of the replaced request.
   */
  find(signed: Signed): Promise<PayloadSignature | undefined>;
  /**
   * Repeats the checks of `find`, calls `sign`, and records request, intent and claims, all in one synchronous step. Resolves
   * once the record is durable.
   */
  record(signed: Signed, sign: () => PayloadSignature, grounds?: LoggedGrounds): Promise<PayloadSignature>;
  close(): Promise<void>;
}

const inOrganisation = (orgId: string, name: string) => `${orgId} ${name}`;
const requestKey = ({ orgId, requestId }: LoggedRequest) => inOrganisation(orgId, requestId);
const claimsOf = ({ orgId, claim, claims = [] }: Signed): readonly string[] =>
  (claim === undefined ? claims : [claim, ...claims]).map((one) => inOrganisation(orgId, one));
const intentKey = ({ orgId, intentId }: Signed) => (intentId === undefined ? undefined : inOrganisation(orgId, intentId));

type Memory = ReturnType<typeof createMemory>;

const createMemory = () => ({
  byRequest: new Map<string, Known>(),
  byIntent: new Map<string, Known>(),
  byClaim: new Map<string, readonly Known[]>(),
  withdrawn: new Map<string, Promise<void>>(),
  /** Requests that were withdrawn under an older version, which did not log the organisation. */
  withdrawnByAnybody: new Set<string>(),
});

function remember({ byRequest, byIntent, byClaim }: Memory, signed: Signed, known: Known): void {
  byRequest.set(requestKey(signed), known);
  for (const claim of claimsOf(signed)) byClaim.set(claim, [...(byClaim.get(claim) ?? []), known]);
  const intent = intentKey(signed);
  if (intent !== undefined) byIntent.set(intent, known);
}

function replay(memory: Memory, entry: z.output<typeof Entry>): void {
  if ('withdrawn' in entry) {
    if (entry.orgId === undefined) memory.withdrawnByAnybody.add(entry.withdrawn);
    else memory.withdrawn.set(inOrganisation(entry.orgId, entry.withdrawn), DURABLE);
    return;
  }
  const { signed, result } = entry;
  const { requestId, payloadDigest } = signed;
  remember(memory, signed, { requestId, payloadDigest, result, durable: DURABLE });
}

const rivals = ({ byClaim }: Memory, signed: Signed) => claimsOf(signed).flatMap((claim) => byClaim.get(claim) ?? []);
const isReplaced = ({ replaces }: Signed, { requestId }: Known) => requestId === replaces;

/** Refuses an order that contradicts an earlier signature or withdrawal. */
function lookUp(memory: Memory, signed: Signed): Known | undefined {
  const { byRequest, byIntent, byClaim, withdrawn, withdrawnByAnybody } = memory;
  const same = (known: Known | undefined) => known === undefined || known.payloadDigest === signed.payloadDigest;
  const intent = intentKey(signed);
  const isWithdrawn = withdrawn.has(requestKey(signed)) || withdrawnByAnybody.has(signed.requestId);
  refuseUnless(!isWithdrawn, 'RequestWithdrawn');
  refuseUnless(same(byRequest.get(requestKey(signed))), 'RequestIdReused');
  refuseUnless(intent === undefined || same(byIntent.get(intent)), 'IntentSignedAlready');
  const others = rivals(memory, signed);
  // A replacement that shares no claim with the original could execute in addition to the original (S7).
  const replaced = signed.replaces === undefined ? undefined : byRequest.get(inOrganisation(signed.orgId, signed.replaces));
  refuseUnless(replaced === undefined || others.includes(replaced), 'ReplacesNothing');
  // Each claim is checked separately: a request that replaces another request on one coin must not also take a coin of a third
  // request.
  for (const claim of claimsOf(signed)) {
    const own = byClaim.get(claim) ?? [];
    const mayCompete = own.some(same) || own.some((known) => isReplaced(signed, known));
    refuseUnless(own.length === 0 || mayCompete, 'NonceSignedAlready');
  }
  return byRequest.get(requestKey(signed));
}

const settled = async ({ result, durable }: Known) => {
  await durable;
  return result;
};

export async function openSigningLog(
  path: string,
  onBroken: (cause: Error) => void,
  options: FileOptions = {},
): Promise<SigningLog> {
  const memory = createMemory();
  const { byRequest, withdrawn } = memory;
  const file = await DurableFile.open(path, (line) => replay(memory, Entry.parse(line)), onBroken, {
    summarise: withoutOldEvidence(Date.now()),
    ...options,
  });

  return {
    get size() {
      return byRequest.size;
    },
    tornBytes: file.tornBytes,
    hasSigned: (request) => byRequest.has(requestKey(request)),
    async withdraw(request) {
      const { orgId, requestId } = request;
      const signed = byRequest.get(requestKey(request));
      if (signed) {
        await signed.durable;
        return false;
      }
      const standing =
        withdrawn.get(requestKey(request)) ?? file.append({ at: new Date().toISOString(), withdrawn: requestId, orgId });
      withdrawn.set(requestKey(request), standing);
      await standing;
      return true;
    },
    async find(signed) {
      const known = lookUp(memory, signed);
      return known && settled(known);
    },
    async record(signed, sign, grounds = {}) {
      const known = lookUp(memory, signed);
      if (known) return settled(known);
      // Another request for the same bytes gets the first signature, and the log records the request with that signature.
      const twin = rivals(memory, signed).find(({ payloadDigest }) => payloadDigest === signed.payloadDigest);
      const result = twin?.result ?? sign();
      const durable = file.append({ at: new Date().toISOString(), signed, result, ...grounds });
      const entry = { requestId: signed.requestId, payloadDigest: signed.payloadDigest, result, durable };
      remember(memory, signed, entry);
      return settled(entry);
    },
    close: () => file.close(),
  };
}

export type VisitSigned = (signed: Signed, at: string, result: PayloadSignature) => void;

/** Oldest first. The signer of the log may be running. Throws a `StartError` if the log was altered. */
export async function readSignatures(path: string, visit: VisitSigned): Promise<void> {
  await readLines(path, (line) => {
    const entry = Entry.parse(line);
    if ('signed' in entry) visit(entry.signed, entry.at, entry.result);
  });
}
