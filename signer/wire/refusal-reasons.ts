import { z } from 'zod';

/** Only names, so that a refusal never repeats bytes, keys or amounts. */
export const RefusalReason = z.enum([
  'MalformedOrder',
  'UnknownNetwork',
  'MainnetNotAllowed',
  'ClockDrift',
  'OrderExpired',
  'ChainIdMismatch',
  'NonceMismatch',
  'RecipientMismatch',
  'AmountMismatch',
  'AssetMismatch',
  'CallMismatch',
  'FeeAboveApproved',
  'FeeAboveSignerCeiling',
  'BytesNotUnderstood',
  'SenderMismatch',
  'KeyRowMismatch',
  'EnvelopeRejected',
  'KekNotActive',
  'KeyIdReused',
  'RequestIdReused',
  'IntentSignedAlready',
  'NonceSignedAlready',
  'ReplacesNothing',
  'RequestWithdrawn',
  'Frozen',
  'Busy',
  'DerivationNotSupported',
  'ShareNotOpened',
  'InvalidSecret',
  'InvalidRecipientKey',
  'KeyExists',
  'KeyExported',
  'PayloadNotSupported',
  'DigestOutOfRange',
  'TypedDataNotUnderstood',
  'MessageIsTransaction',
  'InputNotOurs',
  'AmountNotProved',
  'ExportSwitchedOff',
  'HashSwitchedOff',
  'ChainlessTypedDataSwitchedOff',
  'CharterMalformed',
  'CharterNotSigned',
  'CharterOfAnotherSigner',
  'CharterNotNext',
  'NotInCharter',
  'NotWithCharter',
  'InitiatorMissing',
  'ActionMismatch',
  'ActionNotAnchored',
  'ActionTooOld',
  'ActionUsed',
  'AssertionInvalid',
  'NotPermitted',
  'RequestMismatch',
  'PolicyBlocked',
  'EffectUnknown',
  'AboveLimit',
  'ApprovalMissing',
  'ApprovalMismatch',
  'VotesMissing',
]);
export type RefusalReason = z.infer<typeof RefusalReason>;

/** A signature for this request, intent or nonce exists, so the claim must never be released. */
export const SIGNED_ALREADY: ReadonlySet<RefusalReason> = new Set([
  'RequestIdReused',
  'IntentSignedAlready',
  'NonceSignedAlready',
]);
/**
 * A fresh order for the same payload may be signed later. A reconciliation ends the freeze of a state folder, and a release
 * ends any other freeze. `Busy` means that too many orders are waiting.
 */
export const ASK_AGAIN: ReadonlySet<RefusalReason> = new Set(['ClockDrift', 'OrderExpired', 'Frozen', 'KekNotActive', 'Busy']);
