import type { Slot } from '../../../domain/slots';
import type { EvmCall, EvmTransactionType } from '../../../domain/transactions';
import type { Rpc } from '../../rpc/rpc';
import type { Hex } from '../call';
import type { Markets } from '../markets';
import type { MemberFault } from '../request-members';
import type { EvmTransferForm, FeeTerms, Signature, Sponsored, TransactionInput } from '../types';

/** One call with the other members of its transaction. */
export type TransferMembers = {
  readonly nonce: number;
  readonly call: { readonly to: Hex; readonly value: bigint; readonly data: Hex };
  readonly fees: FeeTerms;
  readonly form: EvmTransferForm;
};

/** A transaction type that only networks of one variant have. */
export type OwnType = {
  readonly type: EvmTransactionType;
  /** The first byte of transactions of this type. */
  readonly prefix: Hex;
  readonly takesAccessList: boolean;
  /** Reads the request member that only this type has. */
  readonly ownMember: (fault: MemberFault, input: TransactionInput) => Pick<EvmCall, 'feeCurrency' | 'nonceKey'>;
  readonly serialize: (call: EvmCall, nonce: number, fees: FeeTerms) => Hex;
  /** Reads unsigned bytes of this type; throws for any other bytes. */
  readonly membersOf: (bytes: Hex) => Omit<TransactionInput, 'value'> & { readonly value: bigint; readonly fees: FeeTerms };
  readonly attach: (bytes: Hex, signature: Signature) => Hex;
};

/** The functions that build the unsigned bytes of a network's transactions. */
type SerializeSlot = {
  /** The unsigned bytes of a transfer, in the form that the network accepts and the network's decoder expects. */
  readonly transfer: (members: TransferMembers) => Hex;
  /** The types of raw transactions that the network accepts, except for the variant's own type. */
  readonly types: readonly EvmTransactionType[];
  readonly typeUnlessNamed: EvmTransactionType;
  readonly ownType: Slot<OwnType>;
  /** The transaction in which a sponsor sends another account's operation. */
  readonly sponsored: Slot<
    (sponsored: Sponsored, nonce: number, fees: FeeTerms) => { readonly bytes: Hex; readonly operationHash: string }
  >;
};

/** The prices of a network, and the balance that pays fees. Balances and prices are counted in the unit of fees. */
type FeeSlot = {
  readonly market: (rpc: Rpc) => Promise<Markets>;
  /** The balance that pays fees unless a transaction names a currency for its fee. */
  readonly balance: (ask: Rpc, address: string) => Promise<bigint>;
  /** The balance of the native coin. */
  readonly coin: Slot<(ask: Rpc, address: string) => Promise<bigint>>;
  /** The token that pays fees instead of a coin; one unit of the token is `scale` units of fees. */
  readonly token: Slot<{ readonly contract: string; readonly scale: bigint }>;
  readonly currencies: Slot<{
    /** The currency in which transfers pay their fees; undefined for the native coin. */
    readonly chosen: string | undefined;
    readonly market: (rpc: Rpc, feeCurrency: string) => Promise<Markets>;
    readonly balance: (ask: Rpc, address: string, feeCurrency: string) => Promise<bigint>;
  }>;
  /**
   * The maximum fee in wei for the data of unsigned bytes, in addition to the fee for the gas. Throws `NetworkUnavailable` if
   * the node does not return the fee.
   */
  readonly dataFee: Slot<(ask: Rpc, unsigned: Hex) => Promise<bigint>>;
};

/** The additional nonce counts of an account. Each key from 1 on has a nonce count of its own. */
type LaneSlot = {
  /** The service uses the keys from 1 up to this key. */
  readonly keys: number;
  /** The next nonce of a lane, as of a block. */
  readonly countOf: (ask: Rpc, address: string, nonceKey: bigint, block?: string) => Promise<number>;
};

/**
 * The slots of one variant for the builder. `decoder-variants.ts` has the decoder's slots, which share no code with the
 * builder's slots.
 */
export type EvmVariantSlots = {
  readonly serialize: SerializeSlot;
  readonly fees: FeeSlot;
  readonly lanes: Slot<LaneSlot>;
};
