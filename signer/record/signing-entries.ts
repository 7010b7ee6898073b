import { z } from 'zod';
import { sha256Hex } from '../../platform/digests';
import type { KeySignature, PayloadSignature } from '../protocol';
import { countAsked } from './asked-counts';
import type { Index } from './journal/index-store';

const Digest = z.string().regex(/^[0-9a-f]{64}$/);

/**
 * Digests are SHA-256. `claim` is the network, the sender and the nonce of a transaction; `claims` are the coins or other
 * resources that the transaction uses up. `replaces` names the request that competes with this request for the same claims (S5).
 */
export const Signed = z.strictObject({
  requestId: z.string(),
  intentId: z.string().optional(),
  orgId: z.string(),
  keyId: z.string(),
  intentDigest: Digest,
  payloadDigest: Digest,
  claim: z.string().optional(),
  claims: z.array(z.string()).optional(),
  replaces: z.string().optional(),
  /** The request is a payment of its own, and only spends coins that the request of `replaces` has left. */
  takesLeft: z.literal(true).optional(),
  /**
   * The digest of the content that people requested, and the number of claims that only one order can use up on chain. An order
   * with the same content and the same claims may replace this order without a person. Absent for a payload.
   */
  repeatable: z.object({ contentDigest: Digest, claims: z.int().nonnegative() }).optional(),
  /** The amounts that a wallet of the charter sends in this transaction, and the hour of the signature (hours since 1970). */
  sent: z.object({ walletId: z.string(), hour: z.int(), units: z.record(z.string(), z.string()) }).optional(),
  /** The signed action that requested the signature, and the request that the action serves. */
  action: z.object({ digest: Digest, requestId: z.string() }).optional(),
  /** The time of the request, and the wallets for which the request is counted under a charter. */
  asked: z.object({ atMs: z.int(), walletIds: z.array(z.string()) }).optional(),
  /**
   * Set if an offline device signs in place of this signer. `orderDigest` is the digest of the order as it travels to the device,
   * and `messages` are SHA-256 of the bytes that the device signs.
   */
  vouched: z.object({ storeId: z.string(), orderDigest: Digest, dateVouched: z.string(), messages: z.array(Digest) }).optional(),
});
export type Signed = z.infer<typeof Signed>;

export type SignatureEntry = {
  readonly kind: 'Signed';
  readonly signed: Signed;
  readonly result: PayloadSignature;
  readonly policyEpoch?: number | undefined;
};
/**
 * The promise never to sign for one request. An entry from an older release does not name an organisation, and applies to all
 * organisations.
 */
export type WithdrawnEntry = { readonly kind: 'Withdrawn'; readonly orgId?: string | undefined; readonly requestId: string };

/** A device has made these signatures, for a request that the signer vouched for. */
export type DeviceSignedEntry = LoggedRequest & {
  readonly kind: 'DeviceSigned';
  readonly keyId: string;
  readonly signatures: readonly Pick<KeySignature, 'r' | 's'>[];
};

/** The signing log compares ids, intents and claims only within one organisation. */
export type LoggedRequest = { readonly orgId: string; readonly requestId: string };
/** A vouch on record, with the only key that may sign for it. */
export type KnownVouch = NonNullable<Signed['vouched']> & Pick<Signed, 'keyId'>;
/** In an index from an earlier release, `repeatable` is missing. */
export type KnownRequest = Pick<Signed, 'payloadDigest' | 'repeatable' | 'replaces'> & {
  readonly result: PayloadSignature;
  readonly vouched?: KnownVouch;
};
/** A request that has used a claim. */
export type ClaimUse = { readonly requestId: string; readonly payloadDigest: string };

export const SIGNED_COUNT = 'count/signed';
export const requestName = ({ orgId, requestId }: LoggedRequest) => `request/${orgId}/${requestId}`;
/** Without an organisation, the result is the name of a withdrawal that applies to all organisations. */
export const withdrawnName = ({ orgId = '', requestId }: Pick<WithdrawnEntry, 'orgId' | 'requestId'>) =>
  `withdrawn/${orgId}/${requestId}`;
// A caller chooses the intent's id, which may contain a lone surrogate. JSON escapes a lone surrogate. Without the escape, the
// index could not distinguish two different lone surrogates.
export const intentName = ({ orgId, intentId }: Signed) =>
  intentId === undefined ? undefined : `intent/${orgId}/${JSON.stringify(intentId)}`;
/** The requests that replace this request. */
export const replacingName = ({ orgId, requestId }: LoggedRequest) => `replacing/${orgId}/${requestId}`;
export const actionName = (orgId: string, digest: string) => `action/${orgId}/${digest}`;
export const sentName = (orgId: string, walletId: string, asset: string, hour: number) =>
  `sent/${orgId}/${walletId}/${asset}/${hour}`;
/** The latest hour in which the wallet has sent anything. */
export const latestHourName = (orgId: string, walletId: string) => `sent-hour/${orgId}/${walletId}`;
/** 128 bits identify a signature: only a second preimage could make a different signature look as if this signer had made it. */
export const madeName = ({ r, s }: Pick<KeySignature, 'r' | 's'>) => `made/${sha256Hex(`${r}${s}`).slice(0, 32)}`;
export const claimName = (orgId: string, claim: string) => `claim/${orgId}/${claim}`;
export const claimNames = ({ orgId, claim, claims = [] }: Signed): readonly string[] =>
  (claim === undefined ? claims : [claim, ...claims]).map((one) => claimName(orgId, one));

type Facts = Pick<Index, 'get' | 'put'>;

export function applySigned(index: Facts, { signed, result }: SignatureEntry): void {
  const { orgId, requestId, payloadDigest, repeatable, action, sent, asked, vouched } = signed;
  const replaces = signed.takesLeft ? undefined : signed.replaces;
  const isNew = index.get(requestName(signed)) === undefined;
  const known: KnownRequest = {
    ...{ payloadDigest, result },
    ...(repeatable === undefined ? {} : { repeatable }),
    ...(replaces === undefined ? {} : { replaces }),
    ...(vouched === undefined ? {} : { vouched: { ...vouched, keyId: signed.keyId } }),
  };
  if (isNew) index.put(SIGNED_COUNT, (index.get<number>(SIGNED_COUNT) ?? 0) + 1);
  index.put(requestName(signed), known);
  if (isNew && replaces !== undefined) {
    const name = replacingName({ orgId, requestId: replaces });
    index.put(name, [...(index.get<string[]>(name) ?? []), requestId]);
  }
  const use: ClaimUse = { requestId, payloadDigest };
  for (const claim of claimNames(signed)) index.put(claim, [...(index.get<ClaimUse[]>(claim) ?? []), use]);
  const intent = intentName(signed);
  if (intent !== undefined) index.put(intent, payloadDigest);
  for (const [asset, units] of isNew ? Object.entries(sent?.units ?? {}) : []) {
    const name = sentName(signed.orgId, sent?.walletId ?? '', asset, sent?.hour ?? 0);
    index.put(name, (BigInt(index.get<string>(name) ?? 0) + BigInt(units)).toString());
  }
  if (sent !== undefined) index.put(latestHourName(signed.orgId, sent.walletId), sent.hour);
  if (isNew && asked !== undefined) countAsked(index, signed.orgId, asked);
  for (const signature of result.signatures) index.put(madeName(signature), 1);
  if (action !== undefined) index.put(actionName(signed.orgId, action.digest), action.requestId);
}

export function applyWithdrawn(index: Facts, { orgId, requestId }: WithdrawnEntry): void {
  index.put(withdrawnName({ orgId, requestId }), true);
}

export function applyDeviceSigned(index: Facts, { signatures }: DeviceSignedEntry): void {
  for (const signature of signatures) index.put(madeName(signature), 1);
}
