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

/** The form of a row: a transfer of an asset, or a transaction that the caller spelled out. */
export type TransferForm = 'Transfer' | 'Transaction';

export type TransferState = (typeof TRANSFER_STATES)[number];
export const TRANSFER_STATUSES = ['Pending', 'Executing', 'Broadcasted', 'Confirmed', 'Failed', 'Rejected'] as const;
export type TransferStatus = (typeof TRANSFER_STATUSES)[number];

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
 * Every legal move. `Approved → AwaitingApproval` happens if a policy was tightened before the release (S9). From `Signing` on a signature may exist,
 * so only the chain ends a transfer, unless the signer reports that nothing was signed: it has refused the order, or has promised to refuse every
 * later one.
 */
export const TRANSFER_MOVES: Readonly<Record<TransferState, readonly TransferState[]>> = {
  Requested: ['AwaitingApproval', 'Approved', 'Rejected', 'Failed'],
  AwaitingApproval: ['Approved', 'Rejected', 'Failed'],
  Approved: ['AwaitingApproval', 'Signing', 'Rejected', 'Failed'],
  Signing: ['Signed', 'Failed', 'Rejected'],
  Signed: ['Broadcasted', 'Confirmed', 'Failed'],
  Broadcasted: ['Confirmed', 'Failed'],
  Confirmed: [],
  Failed: [],
  Rejected: [],
};

/** Final states. Derived, so that a new state cannot be final in one place and open in another. */
export const TRANSFER_ENDS: readonly TransferState[] = TRANSFER_STATES.filter((state) => TRANSFER_MOVES[state].length === 0);
/** Ends of a request that was not executed: another one may do the same without paying twice. */
export const TRANSFER_FAILURES: readonly TransferState[] = TRANSFER_ENDS.filter((state) => state !== 'Confirmed');

/** Ends that the chain may undo by a reorganisation deeper than finality (S14): the final transfer is then pending again. */
export const REVERSIBLE_STATES: readonly TransferState[] = ['Confirmed', 'Failed'];

/** States in which a request is held, under way or ended. */
export const ANSWERABLE_STATES: readonly TransferState[] = ['AwaitingApproval', 'Broadcasted', ...TRANSFER_ENDS];

type EqualPayment = {
  readonly state: TransferState;
  readonly equalToId: string | null;
  readonly equalUntil: Date | null;
  readonly equalConfirmed: Date | null;
};

/** The hold of a possible duplicate that is not confirmed yet; undefined if there is none. */
export function equalPaymentOf({ state, equalToId, equalUntil, equalConfirmed }: EqualPayment) {
  const isHeld = state === 'Requested' && equalToId !== null && equalUntil !== null && equalConfirmed === null;
  return isHeld ? { equalToId, until: equalUntil } : undefined;
}

/** Whether the POST stops waiting. */
export const isAnswerable = (row: EqualPayment): boolean =>
  ANSWERABLE_STATES.includes(row.state) || equalPaymentOf(row) !== undefined;

export function assertMove(from: TransferState, to: TransferState): void {
  if (!TRANSFER_MOVES[from].includes(to)) throw new AppError('WrongState', `A transfer cannot go from ${from} to ${to}`);
}

/** Tokens whose units are all alike. */
export const FUNGIBLE_KINDS = ['Erc20', 'Erc7984', 'Spl', 'Spl2022'] as const;
export type FungibleKind = (typeof FUNGIBLE_KINDS)[number];

/** The asset a transfer moves; `contract` is the token's canonical address on its network, which Solana calls its mint. */
export type TransferAsset =
  | { readonly kind: 'Native' }
  | { readonly kind: FungibleKind; readonly contract: string }
  | { readonly kind: 'Erc721'; readonly contract: string; readonly tokenId: string };
export type AssetKind = TransferAsset['kind'];

/** Kinds whose amounts only the network can read. */
export const HIDDEN_KINDS: readonly string[] = ['Erc7984'] satisfies AssetKind[];
export const hidesAmount = (kind: string): boolean => HIDDEN_KINDS.includes(kind);

/** Members of some kinds of transfer in addition to amount and recipient, as the contract names them. */
export type AskedOptions = {
  readonly memo?: string;
  readonly createDestinationAccount?: boolean;
  readonly useDurableNonce?: boolean;
};

/**
 * An amount that only the network can read (ERC-7984): the name of the ciphertext, 32 bytes, and the proof that one sender may use it in
 * one contract on one chain. Both are 0x-hex in lower case.
 */
export type EncryptedAmount = { readonly handle: string; readonly inputProof: string };

/** Recorded when the bytes are built, within the approved limits. */
export type BuiltOptions = {
  /** The token that pays the fee, if the bytes name one; the fee counts units of 10^-18 of it. */
  readonly feeCurrency?: string;
};
/** Plus the network's answers about them, and later additions. */
export type TransferOptions = AskedOptions &
  BuiltOptions & {
    /** Withheld from the amount by the token, as reported at the request; the recipient gets that much less. */
    readonly withheldUnits?: string;
  };

/** Options as requested: people approve these, and callers sign them. */
export function optionsAtRequest({
  feeCurrency: _noted,
  ...options
}: TransferOptions): Omit<TransferOptions, keyof BuiltOptions> {
  return options;
}

/** The contract of an asset's token; null for the native one. */
export const contractOf = (asset: TransferAsset): string | null => (asset.kind === 'Native' ? null : asset.contract);

/** `SpeedUp` repeats the payment for a higher fee; `Cancel` only uses up the claims of the other request. */
export type ReplacementKind = 'SpeedUp' | 'Cancel';
/** The kinds of request body under which the interface shows them. */
export const REPLACEMENT_BODIES = { Cancel: 'CancelTransaction', SpeedUp: 'SpeedUpTransaction' } as const satisfies Record<
  ReplacementKind,
  string
>;

/** True for a cancellation and for a transaction that fills a nonce gap: neither moves anything of value. */
export const movesNothing = ({
  assetKind,
  amountUnits,
}: {
  readonly assetKind: AssetKind | 'Call';
  readonly amountUnits: string;
}) => assetKind === 'Native' && amountUnits === '0';

/** For a PSBT with the previous transactions of its inputs: the size limit of one order to the signer. */
export const PSBT_BYTES_MAX = 400_000;
/** The same for a caller's PSBT: rows, events and approvals hold it as well. */
export const RAW_PSBT_BYTES_MAX = 100_000;
/** Inputs of one transaction of the Bitcoin family. */
export const INPUTS_MAX = 250;

/** For the proof of an encrypted amount: room for the attestations of two dozen signers, while orders to the signer stay small. */
export const INPUT_PROOF_BYTES_MAX = 2_048;

export type FeePriority = 'Slow' | 'Standard' | 'Fast';
