import type { KeySignature, PayloadSignature } from '../protocol';
import { refuseUnless } from '../wire/refusal';
import { mostAsked } from './asked-counts';
import { type Evidence, recorded } from './evidence';
import type { Index } from './journal/index-store';
import type { Journal } from './journal/journal';
import {
  actionName,
  type ClaimUse,
  claimName,
  claimNames,
  type DeviceSignedEntry,
  intentName,
  type KnownRequest,
  type KnownVouch,
  type LoggedRequest,
  latestHourName,
  madeName,
  replacingName,
  requestName,
  SIGNED_COUNT,
  type Signed,
  sentName,
  withdrawnName,
} from './signing-entries';

type Grounds = { readonly evidence?: readonly Evidence[] | undefined; readonly policyEpoch?: number | undefined };

/**
 * The log of every signature ever made. Because of the log, a database that has forgotten a payment cannot get a second signature
 * for it. The same request for the same payload gets the earlier signature. A lookup may return a result that is not durable yet,
 * so every reply waits for the journal.
 */
export interface SigningLog {
  readonly size: number;
  hasSigned(request: LoggedRequest): boolean;
  /** True if this signer, or a device with its vouch, has made this signature, for whatever key, request or organisation. */
  hasMade(signature: Pick<KeySignature, 'r' | 's'>): boolean;
  /** Set if the signer has vouched for the request in place of signing. */
  vouched(request: LoggedRequest): KnownVouch | undefined;
  /** Resolves once it is durable that a device made the signatures. The caller has verified them. */
  recordMade(entry: Omit<DeviceSignedEntry, 'kind'>): Promise<void>;
  /** An order that repeats the signed request must match these facts. Undefined if the request has no signature. */
  repeatable(request: LoggedRequest): Signed['repeatable'];
  /** The amount that the wallet has sent in these hours. */
  sentUnits(wallet: { readonly orgId: string; readonly walletId: string }, asset: string, hours: readonly number[]): bigint;
  /** The latest hour in which the wallet has sent anything, as the number of hours since 1970. */
  latestHour(wallet: { readonly orgId: string; readonly walletId: string }): number | undefined;
  /** `mostAsked` of `asked-counts.ts`, on the index of this log. */
  mostAsked(window: Parameters<typeof mostAsked>[1], nowMs: number): number;
  /** How many of the claims the request has used. */
  usedBy(request: LoggedRequest, claims: readonly string[]): number;
  /**
   * Refuses the request from this call on, and resolves once the refusal is durable. Returns false if the request already has a
   * signature.
   */
  withdraw(request: LoggedRequest): Promise<boolean>;
  /**
   * Returns the earlier signature of this payload under this request. Refuses a withdrawn request, a replacement without a shared
   * claim, and a request, intent or claim of a different payload. `replaces` permits claims of the replaced request.
   */
  find(signed: Signed): PayloadSignature | undefined;
  /**
   * Repeats the checks of `find`, calls `sign`, and records request, intent and claims, all in one synchronous step. Resolves
   * once the record is durable.
   */
  record(signed: Signed, sign: () => PayloadSignature, grounds?: Grounds): Promise<PayloadSignature>;
}

type Facts = Pick<Index, 'get'>;
const usesOf = (index: Facts, claim: string) => index.get<readonly ClaimUse[]>(claim) ?? [];
const rivals = (index: Facts, signed: Signed) => claimNames(signed).flatMap((claim) => usesOf(index, claim));

/** The recorded requests that compete with this request on chain: the requests that it replaces in turn, and all that replace them. */
function competing(index: Facts, { orgId, requestId }: LoggedRequest): readonly string[] {
  const found = new Set([requestId]);
  // A set also visits what is added during the loop.
  for (const one of found) {
    const { replaces } = index.get<KnownRequest>(requestName({ orgId, requestId: one })) ?? {};
    const next = index.get<readonly string[]>(replacingName({ orgId, requestId: one })) ?? [];
    for (const other of replaces === undefined ? next : [replaces, ...next]) found.add(other);
  }
  return [...found].filter((one) => index.get(requestName({ orgId, requestId: one })) !== undefined);
}

/**
 * A device may sign an archive at any later time. All payloads that a device was ever asked to sign for one payment must therefore
 * use up one and the same claim. A replacement that only shares some claim with the payload that it replaces is not enough: two
 * such replacements could both confirm.
 */
function assertOneClaimForAll(index: Facts, signed: Signed): void {
  const { orgId, replaces, vouched, takesLeft } = signed;
  if (vouched === undefined || replaces === undefined || takesLeft) return;
  const all = competing(index, { orgId, requestId: replaces });
  const isOfAll = (uses: readonly ClaimUse[]) => all.every((requestId) => uses.some((use) => use.requestId === requestId));
  refuseUnless(all.length === 0 || claimNames(signed).some((claim) => isOfAll(usesOf(index, claim))), 'ReplacesNothing');
}

/** Refuses an order that contradicts an earlier signature or withdrawal. */
function lookUp(index: Facts, signed: Signed): PayloadSignature | undefined {
  const { orgId, requestId, payloadDigest, replaces } = signed;
  const isSame = (known: string | undefined) => known === undefined || known === payloadDigest;
  const isWithdrawn = [withdrawnName(signed), withdrawnName({ requestId })].some((name) => index.get(name) !== undefined);
  const known = index.get<KnownRequest>(requestName(signed));
  const intent = intentName(signed);
  refuseUnless(!isWithdrawn, 'RequestWithdrawn');
  refuseUnless(isSame(known?.payloadDigest), 'RequestIdReused');
  refuseUnless(intent === undefined || isSame(index.get<string>(intent)), 'IntentSignedAlready');
  const { action } = signed;
  const served = action && index.get<string>(actionName(orgId, action.digest));
  refuseUnless(served === undefined || served === action?.requestId, 'ActionUsed');
  // A replacement that shares no claim with the original could execute in addition to the original (S7).
  const isReplacement = replaces !== undefined && index.get(requestName({ orgId, requestId: replaces })) !== undefined;
  const sharesClaim = () => rivals(index, signed).some((rival) => rival.requestId === replaces);
  refuseUnless(!isReplacement || sharesClaim(), 'ReplacesNothing');
  assertOneClaimForAll(index, signed);
  // Each claim is checked separately: a request that replaces another request on one coin must not also take a coin of a third
  // request.
  for (const claim of claimNames(signed)) {
    const uses = usesOf(index, claim);
    const mayCompete = uses.some((use) => use.payloadDigest === payloadDigest || use.requestId === replaces);
    refuseUnless(uses.length === 0 || mayCompete, 'NonceSignedAlready');
  }
  return known?.result;
}

export function createSigningLog({ index, append }: Pick<Journal, 'index' | 'append'>): SigningLog {
  const hasSigned = (request: LoggedRequest) => index.get(requestName(request)) !== undefined;
  return {
    get size() {
      return index.get<number>(SIGNED_COUNT) ?? 0;
    },
    hasSigned,
    hasMade: (signature) => index.get(madeName(signature)) !== undefined,
    vouched: (request) => index.get<KnownRequest>(requestName(request))?.vouched,
    async recordMade(entry) {
      const isNew = entry.signatures.some((signature) => index.get(madeName(signature)) === undefined);
      if (isNew) await append({ kind: 'DeviceSigned', ...entry });
    },
    repeatable: (request) => index.get<KnownRequest>(requestName(request))?.repeatable,
    sentUnits: ({ orgId, walletId }, asset, hours) =>
      hours.reduce((sum, hour) => sum + BigInt(index.get<string>(sentName(orgId, walletId, asset, hour)) ?? 0), 0n),
    latestHour: ({ orgId, walletId }) => index.get<number>(latestHourName(orgId, walletId)),
    mostAsked: (window, nowMs) => mostAsked(index, window, nowMs),
    usedBy: ({ orgId, requestId }, claims) =>
      [...new Set(claims)].filter((claim) => usesOf(index, claimName(orgId, claim)).some((use) => use.requestId === requestId))
        .length,
    async withdraw({ orgId, requestId }) {
      if (hasSigned({ orgId, requestId })) return false;
      if (index.get(withdrawnName({ orgId, requestId })) === undefined) await append({ kind: 'Withdrawn', orgId, requestId });
      return true;
    },
    find: (signed) => lookUp(index, signed),
    async record(signed, sign, { evidence = [], policyEpoch } = {}) {
      const known = lookUp(index, signed);
      if (known) return known;
      // Another request for the same bytes gets the first signature, and the log records the request with that signature.
      const twin = rivals(index, signed).find(({ payloadDigest }) => payloadDigest === signed.payloadDigest);
      const earlier = twin && index.get<KnownRequest>(requestName({ orgId: signed.orgId, requestId: twin.requestId }));
      const result = earlier?.result ?? sign();
      await append({ kind: 'Signed', signed, result, policyEpoch }, evidence.length > 0 ? recorded(evidence) : undefined);
      return result;
    },
  };
}
