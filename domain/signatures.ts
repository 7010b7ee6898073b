import { AppError } from './errors';
import type { NetworkName } from './networks';
import type { EvmTerms, UserCall } from './transactions';

/**
 * Internal states of a signature request. There are more internal states than statuses in the interface, so that a crash
 * between two steps is visible.
 */
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
 * Every legal transition. `Approved → AwaitingApproval` happens if a policy was tightened after the previous judgement (S9). In
 * the state `Signing`, the signer may already have made the signature. So a request in this state becomes `Failed` or
 * `Rejected` only in two cases. Either the signer has refused the order, or the signer has promised to refuse every later order
 * for this request.
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
/** Final states without a signature. */
export const SIGNATURE_FAILURES: readonly SignatureState[] = SIGNATURE_ENDS.filter((state) => state !== 'Confirmed');
/**
 * States in which the service has nothing left to do. In the state `Signed`, the holder of the signature sends the signed
 * transaction, and the chain reports the end of that transaction.
 */
export const SIGNATURE_DONE: readonly SignatureState[] = ['Signed', ...SIGNATURE_ENDS];

/** States in which the operation that creates a signature request stops waiting and responds. */
export const SIGNATURE_ANSWERABLE: readonly SignatureState[] = ['AwaitingApproval', ...SIGNATURE_DONE];

export function assertSignatureMove(from: SignatureState, to: SignatureState): void {
  if (!SIGNATURE_MOVES[from].includes(to))
    throw new AppError('WrongState', `A signature request cannot go from ${from} to ${to}`);
}

/** Every kind of content that can be signed. */
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

/**
 * A signature as the interface shows it, as 0x-hex: `r` and `s` have 32 bytes each, and `encoded` contains the whole signature.
 */
export type SignatureValue = {
  readonly r: string;
  readonly s: string;
  readonly recid?: 0 | 1;
  readonly encoded: string;
};

/**
 * The content to sign, in the form in which an order to the signer contains it. The signer computes the digest from this
 * content. Hex has 0x; `typedData` is JSON text; `bytesHex` is an unsigned serialised transaction, or a PSBT of the network.
 */
export type SignaturePayload =
  | { readonly kind: 'Hash'; readonly digestHex: string; readonly taprootMerkleRootHex?: string }
  | { readonly kind: 'Message' | 'Eip191'; readonly messageHex: string }
  | { readonly kind: 'Eip712'; readonly typedData: string }
  | { readonly kind: 'Eip7702'; readonly chainId: number; readonly address: string; readonly nonce: number }
  | { readonly kind: 'EvmTransaction'; readonly bytesHex: string }
  /** The bytes of the message only, without signatures. */
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
 * Calls that the key's own account will make, and the typed message that commits to these calls. `authorization` lets the
 * account run the code that makes the calls. The key signs the message first and then the authorization.
 */
export type SmartAccountCalls = {
  readonly kind: 'SvcSmartAccountTransaction';
  readonly network: NetworkName;
  readonly address: string;
  readonly calls: readonly UserCall[];
  readonly typedData: string;
  readonly authorization: { readonly chainId: number; readonly address: string; readonly nonce: number } | null;
};

/**
 * The service may choose the nonce of a transaction that the holder of the signature sends. If the holder does not send the
 * transaction within this time, the service uses up the nonce itself.
 */
export const FILLED_NONCE_LAPSES_AFTER_MS = 3_600_000;

/**
 * An EVM transaction that leaves nonce, gas or price open. An open member is null in `terms`, and the service fills it in after
 * the approval. The fee is at most `feeCeilingUnits`, in smallest units of the asset that pays the fee.
 */
export type OpenTransaction = {
  readonly kind: 'OpenEvmTransaction';
  readonly network: NetworkName;
  readonly terms: EvmTerms;
  readonly feeCeilingUnits: string;
};

/** The requested content; the signer only ever receives a `SignaturePayload`. */
export type RequestedPayload = SignaturePayload | OpenTransaction;

/** The network on which the account makes the requested calls; null for other payloads. */
export const callsOn = (payload: RequestedPayload): NetworkName | null =>
  payload.kind === 'SvcSmartAccountTransaction' ? payload.network : null;

/**
 * Returned instead of a signature if the lane on the network `unfilledOn` has to fill in the open members of the transaction
 * first.
 */
export type Unfilled = { readonly unfilledOn: NetworkName };
/**
 * Returned if the service chose the nonce of the signed transaction. If the holder does not send the transaction in time, the
 * service uses up the nonce on the network `lapsesOn`.
 */
export type Lapsing = { readonly lapsesOn: NetworkName };

/** Identifies a signature request to a Temporal activity by ids only. The activity reads everything else from the rows (S1). */
export type SignatureRef = { readonly orgId: string; readonly signatureId: string };
