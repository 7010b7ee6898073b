import { AppError } from './errors';

/** Inner states of a transfer, finer than the wire's so that a crash between two of them is visible. */
export const TRANSFER_STATES = [
  'Requested',
  'AwaitingApproval',
  'Approved',
  'Signing',
  'Signed',
  'Broadcasted',
  'Confirmed',
  'Failed',
  'Rejected',
] as const;

/** What a row asks for: an asset to be moved, or a transaction that the caller spelled out. */
export type TransferForm = 'Transfer' | 'Transaction';

export type TransferState = (typeof TRANSFER_STATES)[number];
export type TransferStatus = 'Pending' | 'Executing' | 'Broadcasted' | 'Confirmed' | 'Failed' | 'Rejected';

export const STATUS_OF: Readonly<Record<TransferState, TransferStatus>> = {
  Requested: 'Pending',
  AwaitingApproval: 'Pending',
  Approved: 'Executing',
  Signing: 'Executing',
  Signed: 'Executing',
  Broadcasted: 'Broadcasted',
  Confirmed: 'Confirmed',
  Failed: 'Failed',
  Rejected: 'Rejected',
};

/**
 * Every legal move. `Approved → AwaitingApproval` is the release that meets a policy tightened meanwhile (S9). After
 * `Signing` only the chain can end a transfer, because a signature may exist: the one exception is a signer that refused,
 * which leaves nothing signed.
 */
export const TRANSFER_MOVES: Readonly<Record<TransferState, readonly TransferState[]>> = {
  Requested: ['AwaitingApproval', 'Approved', 'Rejected', 'Failed'],
  AwaitingApproval: ['Approved', 'Rejected', 'Failed'],
  Approved: ['AwaitingApproval', 'Signing', 'Rejected', 'Failed'],
  Signing: ['Signed', 'Failed'],
  Signed: ['Broadcasted', 'Confirmed', 'Failed'],
  Broadcasted: ['Confirmed', 'Failed'],
  Confirmed: [],
  Failed: [],
  Rejected: [],
};

/** States from which the POST has nothing more to wait for. */
export const ANSWERABLE_STATES: readonly TransferState[] = ['AwaitingApproval', 'Broadcasted', 'Confirmed', 'Failed', 'Rejected'];

export function assertMove(from: TransferState, to: TransferState): void {
  if (!TRANSFER_MOVES[from].includes(to)) throw new AppError('WrongState', `A transfer cannot go from ${from} to ${to}`);
}

/** The asset a transfer moves; `contract` is canonical (EIP-55 on EVM). */
export type TransferAsset = { readonly kind: 'Native' } | { readonly kind: 'Erc20'; readonly contract: string };

export type FeePriority = 'Slow' | 'Standard' | 'Fast';
