import type { Slot } from '../../../domain/slots';
import type { EvmCall, EvmTransactionType } from '../../../domain/transactions';
import type { Rpc } from '../../rpc/rpc';
import type { Hex } from '../call';
import type { Markets } from '../markets';
import type { MemberFault } from '../request-members';
import type { EvmTransferForm, FeeTerms, Signature, Sponsored, TransactionInput } from '../types';

export type TransferMembers = {
  readonly nonce: number;
  readonly call: { readonly to: Hex; readonly value: bigint; readonly data: Hex };
  readonly fees: FeeTerms;
  readonly form: EvmTransferForm;
};

export type OwnType = {
  readonly type: EvmTransactionType;
  readonly prefix: Hex;
  readonly takesAccessList: boolean;
  readonly ownMember: (fault: MemberFault, input: TransactionInput) => Pick<EvmCall, 'feeCurrency' | 'nonceKey'>;
  readonly serialize: (call: EvmCall, nonce: number, fees: FeeTerms) => Hex;
  /** Reads the members, but does not check the encoding. The caller must reject bytes that are signed or not canonical. */
  readonly membersOf: (bytes: Hex) => Omit<TransactionInput, 'value'> & { readonly value: bigint; readonly fees: FeeTerms };
  readonly attach: (bytes: Hex, signature: Signature) => Hex;
};

type SerializeSlot = {
  readonly transfer: (members: TransferMembers) => Hex;
  /** The accepted types of raw transactions, without the variant's own type. */
  readonly types: readonly EvmTransactionType[];
  readonly typeUnlessNamed: EvmTransactionType;
  readonly ownType: Slot<OwnType>;
  readonly sponsored: Slot<
    (sponsored: Sponsored, nonce: number, fees: FeeTerms) => { readonly bytes: Hex; readonly operationHash: string }
  >;
};

/** Prices and balances are expressed in the unit of fees. */
type FeeSlot = {
  readonly market: (rpc: Rpc) => Promise<Markets>;
  /** The balance that pays fees unless a transaction names a currency. */
  readonly balance: (ask: Rpc, address: string) => Promise<bigint>;
  readonly coin: Slot<(ask: Rpc, address: string) => Promise<bigint>>;
  /** The token that pays fees instead of a coin. One smallest unit of the token equals `scale` units of fees. */
  readonly token: Slot<{ readonly contract: string; readonly scale: bigint }>;
  readonly currencies: Slot<{
    /** The currency of transfers. Undefined for the native coin. */
    readonly chosen: string | undefined;
    readonly market: (rpc: Rpc, feeCurrency: string) => Promise<Markets>;
    readonly balance: (ask: Rpc, address: string, feeCurrency: string) => Promise<bigint>;
  }>;
  /** The maximum data fee in wei. Throws `NetworkUnavailable` if the node does not return the fee. */
  readonly dataFee: Slot<(ask: Rpc, unsigned: Hex) => Promise<bigint>>;
};

/** The network counts nonces under each nonce key from 1 on, separately from the account's own nonce. */
type LaneSlot = {
  /** The highest nonce key that the service uses. */
  readonly keys: number;
  readonly countOf: (ask: Rpc, address: string, nonceKey: bigint, block?: string) => Promise<number>;
};

/** The builder's slots. The slots in `decoder-variants.ts` share no code with these slots. */
export type EvmVariantSlots = {
  readonly serialize: SerializeSlot;
  readonly fees: FeeSlot;
  readonly lanes: Slot<LaneSlot>;
};
