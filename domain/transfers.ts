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
 * Every legal move. `Approved → AwaitingApproval` is the release that meets a policy tightened meanwhile (S9). From
 * `Signing` on a signature may exist, so only the chain ends a transfer, except where the signer says that nothing was signed: it has refused
 * the order, or has promised to refuse every later one.
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

/** States that no move leads out of. Derived, so that a new state cannot be an end in one place and open in another. */
export const TRANSFER_ENDS: readonly TransferState[] = TRANSFER_STATES.filter((state) => TRANSFER_MOVES[state].length === 0);
/** Ends of a request that was not carried out: another one may do the same without paying twice. */
export const TRANSFER_FAILURES: readonly TransferState[] = TRANSFER_ENDS.filter((state) => state !== 'Confirmed');

/** Ends that the chain may take back by a reorganisation deeper than finality (S14): what was final is on its way again. */
export const REVERSIBLE_STATES: readonly TransferState[] = ['Confirmed', 'Failed'];

/** States in which a request is held, on its way or ended. */
export const ANSWERABLE_STATES: readonly TransferState[] = ['AwaitingApproval', 'Broadcasted', ...TRANSFER_ENDS];

type EqualPayment = {
  readonly state: TransferState;
  readonly equalToId: string | null;
  readonly equalUntil: Date | null;
  readonly equalConfirmed: Date | null;
};

/** The hold of a request that pays what another one pays, while nobody has said that it is meant; undefined where nothing is held. */
export function equalPaymentOf({ state, equalToId, equalUntil, equalConfirmed }: EqualPayment) {
  const isHeld = state === 'Requested' && equalToId !== null && equalUntil !== null && equalConfirmed === null;
  return isHeld ? { equalToId, until: equalUntil } : undefined;
}

/** Whether the POST has nothing more to wait for. */
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

/** Kinds of which the network alone can read the amounts. */
export const HIDDEN_KINDS: readonly string[] = ['Erc7984'] satisfies AssetKind[];
export const hidesAmount = (kind: string): boolean => HIDDEN_KINDS.includes(kind);

/** What some kinds of transfer carry beside amount and recipient, as the contract names it. */
export type AskedOptions = {
  readonly memo?: string;
  readonly createDestinationAccount?: boolean;
  readonly useDurableNonce?: boolean;
};

/**
 * An amount that the network alone can read (ERC-7984): the name of the ciphertext, 32 bytes, and the proof that it may be used by one sender in one
 * contract on one chain. Both are 0x-hex in lower case.
 */
export type EncryptedAmount = { readonly handle: string; readonly inputProof: string };

/** Noted when the bytes are built, within what was approved. */
export type BuiltOptions = {
  /** The token that pays the fee, where the bytes name one; the fee counts units of 10^-18 of it. */
  readonly feeCurrency?: string;
};
/** With what the network said to them, and what was noted later. */
export type TransferOptions = AskedOptions &
  BuiltOptions & {
    /** Kept back of the amount by the token, as it was told when it was asked for; the recipient gets that much less. */
    readonly withheldUnits?: string;
  };

/** Options as the request was made: people approve these, and callers sign them. */
export function optionsAtRequest({
  feeCurrency: _noted,
  ...options
}: TransferOptions): Omit<TransferOptions, keyof BuiltOptions> {
  return options;
}

/** Where the token of an asset is; null for the native one. */
export const contractOf = (asset: TransferAsset): string | null => (asset.kind === 'Native' ? null : asset.contract);

/** `SpeedUp` does the same for a higher fee; `Cancel` does nothing but use up what the other one would have used. */
export type ReplacementKind = 'SpeedUp' | 'Cancel';
/** The kinds of request body under which the interface shows them. */
export const REPLACEMENT_BODIES = { Cancel: 'CancelTransaction', SpeedUp: 'SpeedUpTransaction' } as const satisfies Record<
  ReplacementKind,
  string
>;

/** True for a cancellation and for what fills a hole in the nonces: neither moves anything of value. */
export const movesNothing = ({
  assetKind,
  amountUnits,
}: {
  readonly assetKind: AssetKind | 'Call';
  readonly amountUnits: string;
}) => assetKind === 'Native' && amountUnits === '0';

/** Of a PSBT with the previous transactions of its inputs: what the signer reads of one order. */
export const PSBT_BYTES_MAX = 400_000;
/** The same of one that a caller brings along: rows, events and approvals hold it as well. */
export const RAW_PSBT_BYTES_MAX = 100_000;
/** Inputs of one transaction of the Bitcoin family. */
export const INPUTS_MAX = 250;

/** Of the proof of an encrypted amount: room for the attestations of two dozen signers, and orders to the signer stay small. */
export const INPUT_PROOF_BYTES_MAX = 2_048;

export type FeePriority = 'Slow' | 'Standard' | 'Fast';
