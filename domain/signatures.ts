import { AppError } from './errors';
import type { NetworkName } from './networks';
import type { EvmTerms, UserCall } from './transactions';

/** Finer than the statuses of the interface, so that a crash between two steps is visible. */
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
 * `Approved → AwaitingApproval` happens if a policy was tightened after the previous judgement (S9). In the state `Signing`, the
 * signer might already have made the signature. A request in `Signing` fails or is rejected only after the signer has refused the
 * order, or has promised to refuse every later order.
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

export const SIGNATURE_ENDS: readonly SignatureState[] = SIGNATURE_STATES.filter((state) => SIGNATURE_MOVES[state].length === 0);
export const SIGNATURE_FAILURES: readonly SignatureState[] = SIGNATURE_ENDS.filter((state) => state !== 'Confirmed');
/** States in which the service has finished its work. In `Signed`, the holder of the signature sends the transaction. */
export const SIGNATURE_DONE: readonly SignatureState[] = ['Signed', ...SIGNATURE_ENDS];

/** States in which the operation that creates a signature request can respond. */
export const SIGNATURE_ANSWERABLE: readonly SignatureState[] = ['AwaitingApproval', ...SIGNATURE_DONE];

export function assertSignatureMove(from: SignatureState, to: SignatureState): void {
  if (!SIGNATURE_MOVES[from].includes(to))
    throw new AppError('WrongState', `A signature request cannot go from ${from} to ${to}`);
}

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

/** 0x-hex: `r` and `s` have 32 bytes each, and `encoded` contains the whole signature. */
export type SignatureValue = {
  readonly r: string;
  readonly s: string;
  readonly recid?: 0 | 1;
  readonly encoded: string;
};

/**
 * The content from which the signer computes the digest. Hex has 0x; `typedData` is JSON text; `bytesHex` is an unsigned
 * serialised transaction, or a PSBT of the network.
 */
export type SignaturePayload =
  | { readonly kind: 'Hash'; readonly digestHex: string; readonly taprootMerkleRootHex?: string }
  | { readonly kind: 'Message' | 'Eip191'; readonly messageHex: string }
  | { readonly kind: 'Eip712'; readonly typedData: string }
  | { readonly kind: 'Eip7702'; readonly chainId: number; readonly address: string; readonly nonce: number }
  | { readonly kind: 'EvmTransaction'; readonly bytesHex: string }
  /** Only the bytes of the message, without signatures. */
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
 * If the holder of the signature does not send the transaction within this time, the service uses up the nonce that the service
 * chose.
 */
export const FILLED_NONCE_LAPSES_AFTER_MS = 3_600_000;

/**
 * An EVM transaction that leaves nonce, gas or price open. An open member is null in `terms`, and the service fills in the
 * member after the approval. The fee is at most `feeCeilingUnits`, in smallest units of the asset that pays the fee.
 */
export type OpenTransaction = {
  readonly kind: 'OpenEvmTransaction';
  readonly network: NetworkName;
  readonly terms: EvmTerms;
  readonly feeCeilingUnits: string;
};

/** The signer only ever receives a `SignaturePayload`. */
export type RequestedPayload = SignaturePayload | OpenTransaction;

/** The network on which the account makes the requested calls; null for a payload without calls. */
export const callsOn = (payload: RequestedPayload): NetworkName | null =>
  payload.kind === 'SvcSmartAccountTransaction' ? payload.network : null;

/**
 * A result without a signature: the lane (queue of the sender's transactions) on the network `unfilledOn` must first fill in the
 * open members.
 */
export type Unfilled = { readonly unfilledOn: NetworkName };
/**
 * The service chose the nonce. If the holder does not send the transaction in time, the service uses up the nonce on the
 * network `lapsesOn`.
 */
export type Lapsing = { readonly lapsesOn: NetworkName };

/** Ids only: the activity reads everything else from the rows (S1). */
export type SignatureRef = { readonly orgId: string; readonly signatureId: string };
