import { AppError } from './errors';

/** Finer than the statuses of the interface, so that a crash between two steps is visible. */
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
 * `Approved → AwaitingApproval` happens if a policy was tightened after the previous judgement (S9). From the state `Signing` on,
 * the signer might already have made a signature. The transfer can then end only if its outcome on the chain is final, or if the
 * signer has refused the order or promised to refuse every later order.
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

export const TRANSFER_ENDS: readonly TransferState[] = TRANSFER_STATES.filter((state) => TRANSFER_MOVES[state].length === 0);
/** States in which the transfer ended without a payment, so that a new request for the same payment does not pay twice. */
export const TRANSFER_FAILURES: readonly TransferState[] = TRANSFER_ENDS.filter((state) => state !== 'Confirmed');

/** A reorganisation deeper than finality may undo these final states (S14). The transfer is then pending again. */
export const REVERSIBLE_STATES: readonly TransferState[] = ['Confirmed', 'Failed'];

/** States in which the operation that creates the request can respond. */
export const ANSWERABLE_STATES: readonly TransferState[] = ['AwaitingApproval', 'Broadcasted', ...TRANSFER_ENDS];

type EqualPayment = {
  readonly state: TransferState;
  readonly equalToId: string | null;
  readonly equalUntil: Date | null;
  readonly equalConfirmed: Date | null;
};

/**
 * The earlier payment that a request seems to repeat, and the time until which the request waits for a person's confirmation.
 * Undefined if the request does not wait.
 */
export function equalPaymentOf({ state, equalToId, equalUntil, equalConfirmed }: EqualPayment) {
  const isHeld = state === 'Requested' && equalToId !== null && equalUntil !== null && equalConfirmed === null;
  return isHeld ? { equalToId, until: equalUntil } : undefined;
}

export const isAnswerable = (row: EqualPayment): boolean =>
  ANSWERABLE_STATES.includes(row.state) || equalPaymentOf(row) !== undefined;

export function assertMove(from: TransferState, to: TransferState): void {
  if (!TRANSFER_MOVES[from].includes(to)) throw new AppError('WrongState', `A transfer cannot go from ${from} to ${to}`);
}

export const FUNGIBLE_KINDS = ['Erc20', 'Erc7984', 'Spl', 'Spl2022'] as const;
export type FungibleKind = (typeof FUNGIBLE_KINDS)[number];

/** `contract` is the canonical address of the token, which Solana calls its mint. */
export type TransferAsset =
  | { readonly kind: 'Native' }
  | { readonly kind: FungibleKind; readonly contract: string }
  | { readonly kind: 'Erc721'; readonly contract: string; readonly tokenId: string };
export type AssetKind = TransferAsset['kind'];

/** Kinds whose amounts only the network can read. */
export const HIDDEN_KINDS: readonly string[] = ['Erc7984'] satisfies AssetKind[];
export const hidesAmount = (kind: string): boolean => HIDDEN_KINDS.includes(kind);

/** Names of the published interface. */
export type AskedOptions = {
  readonly memo?: string;
  readonly createDestinationAccount?: boolean;
  readonly useDurableNonce?: boolean;
};

/**
 * An amount that only the network can read (ERC-7984). `handle` names the 32-byte ciphertext, and `inputProof` proves that one
 * sender may use the ciphertext in one token contract on one chain. The members are lower-case 0x-hex.
 */
export type EncryptedAmount = { readonly handle: string; readonly inputProof: string };

/** Decided when the bytes are built, within the approved limits. */
export type BuiltOptions = {
  /** The token that pays the fee, if the bytes name such a token. The fee is then in units of 10^-18 of this token. */
  readonly feeCurrency?: string;
};
export type TransferOptions = AskedOptions &
  BuiltOptions & {
    /**
     * The units that the token withholds from the amount, as the token reported them when the request was made; the recipient
     * receives only the rest.
     */
    readonly withheldUnits?: string;
  };

/** The part that callers sign and people approve. */
export function optionsAtRequest({
  feeCurrency: _noted,
  ...options
}: TransferOptions): Omit<TransferOptions, keyof BuiltOptions> {
  return options;
}

export const contractOf = (asset: TransferAsset): string | null => (asset.kind === 'Native' ? null : asset.contract);

/**
 * `SpeedUp` repeats the payment for a higher fee. `Cancel` only uses up the claims (reserved nonces or coins) of the cancelled
 * request.
 */
export type ReplacementKind = 'SpeedUp' | 'Cancel';
/** The kinds of request body in the interface. */
export const REPLACEMENT_BODIES = { Cancel: 'CancelTransaction', SpeedUp: 'SpeedUpTransaction' } as const satisfies Record<
  ReplacementKind,
  string
>;

/** True for a cancellation and for a transaction that fills a nonce gap. */
export const movesNothing = ({
  assetKind,
  amountUnits,
}: {
  readonly assetKind: AssetKind | 'Call';
  readonly amountUnits: string;
}) => assetKind === 'Native' && amountUnits === '0';

/** A PSBT, together with the previous transactions of its inputs, must fit into one order to the signer. */
export const PSBT_BYTES_MAX = 400_000;
/** The limit for a PSBT from a caller is lower, because rows, events and approvals also contain that PSBT. */
export const RAW_PSBT_BYTES_MAX = 100_000;
/** The maximum number of inputs of one transaction in the Bitcoin family. */
export const INPUTS_MAX = 250;

/** Enough for a proof with two dozen signatures, and small enough for an order to the signer. */
export const INPUT_PROOF_BYTES_MAX = 2_048;

export type FeePriority = 'Slow' | 'Standard' | 'Fast';
