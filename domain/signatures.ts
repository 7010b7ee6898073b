import { AppError } from './errors';
import type { NetworkName } from './networks';
import type { EvmTerms, UserCall } from './transactions';

/** Inner states of a signature request, finer than the wire's so that a crash between two of them is visible. */
export const SIGNATURE_STATES = [
  'Requested',
  'AwaitingApproval',
  'Approved',
  'Signing',
  'Signed',
  'Confirmed',
  'Failed',
  'Rejected',
] as const;

export type SignatureState = (typeof SIGNATURE_STATES)[number];
export const SIGNATURE_STATUSES = ['Pending', 'Executing', 'Signed', 'Confirmed', 'Failed', 'Rejected'] as const;
export type SignatureStatus = (typeof SIGNATURE_STATUSES)[number];

export const SIGNATURE_STATUS_OF: Readonly<Record<SignatureState, SignatureStatus>> = {
  Requested: 'Pending',
  AwaitingApproval: 'Pending',
  Approved: 'Executing',
  Signing: 'Executing',
  Signed: 'Signed',
  Confirmed: 'Confirmed',
  Failed: 'Failed',
  Rejected: 'Rejected',
};

/**
 * Every legal move. `Approved → AwaitingApproval` happens if a policy was tightened before the release (S9). From `Signing` on a signature may exist,
 * so only a signer that has refused the order, or has promised to refuse every later one, ends a request.
 */
export const SIGNATURE_MOVES: Readonly<Record<SignatureState, readonly SignatureState[]>> = {
  Requested: ['AwaitingApproval', 'Approved', 'Rejected', 'Failed'],
  AwaitingApproval: ['Approved', 'Rejected', 'Failed'],
  Approved: ['AwaitingApproval', 'Signing', 'Rejected', 'Failed'],
  Signing: ['Signed', 'Failed', 'Rejected'],
  Signed: ['Confirmed'],
  Confirmed: [],
  Failed: [],
  Rejected: [],
};

/** Final states. */
export const SIGNATURE_ENDS: readonly SignatureState[] = SIGNATURE_STATES.filter((state) => SIGNATURE_MOVES[state].length === 0);
/** Ends without a signature. */
export const SIGNATURE_FAILURES: readonly SignatureState[] = SIGNATURE_ENDS.filter((state) => state !== 'Confirmed');
/** States in which the service has no more to do: the holder sends the signed transaction, and only the chain reports on it. */
export const SIGNATURE_DONE: readonly SignatureState[] = ['Signed', ...SIGNATURE_ENDS];

/** States in which the POST stops waiting. */
export const SIGNATURE_ANSWERABLE: readonly SignatureState[] = ['AwaitingApproval', ...SIGNATURE_DONE];

export function assertSignatureMove(from: SignatureState, to: SignatureState): void {
  if (!SIGNATURE_MOVES[from].includes(to))
    throw new AppError('WrongState', `A signature request cannot go from ${from} to ${to}`);
}

/** Everything that can be signed here; kinds of other families come with their codecs. */
export const SIGNATURE_KINDS = [
  'Hash',
  'Message',
  'Eip191',
  'Eip712',
  'Eip7702',
  'Transaction',
  'Psbt',
  'Bip322',
  'SvcSmartAccountTransaction',
] as const;
export type SignatureKind = (typeof SIGNATURE_KINDS)[number];

/** A signature as the interface shows it: words of 32 bytes and their joint form as 0x-hex. */
export type SignatureValue = {
  readonly r: string;
  readonly s: string;
  readonly recid?: 0 | 1;
  readonly encoded: string;
};

/**
 * The content to be signed, in the form of the signer's order: the signer computes the digest from it. Hex has 0x; `typedData` is JSON
 * text; `bytesHex` is an unsigned serialised transaction, or a PSBT of the network.
 */
export type SignaturePayload =
  | { readonly kind: 'Hash'; readonly digestHex: string; readonly taprootMerkleRootHex?: string }
  | { readonly kind: 'Message' | 'Eip191'; readonly messageHex: string }
  | { readonly kind: 'Eip712'; readonly typedData: string }
  | { readonly kind: 'Eip7702'; readonly chainId: number; readonly address: string; readonly nonce: number }
  | { readonly kind: 'EvmTransaction'; readonly bytesHex: string }
  /** Only the message, without the signatures of others. */
  | { readonly kind: 'SolanaTransaction'; readonly network: NetworkName; readonly bytesHex: string }
  | { readonly kind: 'Psbt'; readonly network: NetworkName; readonly bytesHex: string }
  | {
      readonly kind: 'Bip322';
      readonly network: NetworkName;
      readonly messageHex: string;
      readonly format: 'Simple' | 'Full';
    }
  | SmartAccountCalls;

/**
 * Calls that the account of a key is to make, committed to by a typed message, and optionally the authorization by which the account runs
 * the code that makes them. The key signs the message and then the authorization.
 */
export type SmartAccountCalls = {
  readonly kind: 'SvcSmartAccountTransaction';
  readonly network: NetworkName;
  readonly address: string;
  readonly calls: readonly UserCall[];
  readonly typedData: string;
  readonly authorization: { readonly chainId: number; readonly address: string; readonly nonce: number } | null;
};

/** How long the holder of a signature has to send a transaction whose nonce the service chose; then the service uses the nonce up. */
export const FILLED_NONCE_LAPSES_AFTER_MS = 3_600_000;

/**
 * A transaction on an EVM network that leaves nonce, gas or price open: null in `terms`. They are filled in after approval, for at most
 * `feeCeilingUnits`, in smallest units of the asset that pays the fee.
 */
export type OpenTransaction = {
  readonly kind: 'OpenEvmTransaction';
  readonly network: NetworkName;
  readonly terms: EvmTerms;
  readonly feeCeilingUnits: string;
};

/** The requested content; the signer only ever receives a `SignaturePayload`. */
export type RequestedPayload = SignaturePayload | OpenTransaction;

/** The network on which an account makes the requested calls; null for other payloads. */
export const callsOn = (payload: RequestedPayload): NetworkName | null =>
  payload.kind === 'SvcSmartAccountTransaction' ? payload.network : null;

/** Returned instead of a signature: the queue of this network has to fill the transaction in first. */
export type Unfilled = { readonly unfilledOn: NetworkName };
/** Signed, with a nonce on this network that lapses. */
export type Lapsing = { readonly lapsesOn: NetworkName };

/** A signature request, named for an activity: ids only, everything else is read from the rows (S1). */
export type SignatureRef = { readonly orgId: string; readonly signatureId: string };
