import type { Slot } from '../../../domain/slots';
import type { EvmCall, EvmTransactionType } from '../../../domain/transactions';
import type { Rpc } from '../../rpc/rpc';
import type { Hex } from '../call';
import type { Markets } from '../markets';
import type { MemberFault } from '../request-members';
import type { EvmTransferForm, FeeTerms, Signature, Sponsored, TransactionInput } from '../types';

/** One call with all that a transaction says besides. */
export type TransferMembers = {
  readonly nonce: number;
  readonly call: { readonly to: Hex; readonly value: bigint; readonly data: Hex };
  readonly fees: FeeTerms;
  readonly form: EvmTransferForm;
};

/** A type of transaction that networks of one variant have besides Ethereum's. */
export type OwnType = {
  readonly type: EvmTransactionType;
  /** First byte of its transactions. */
  readonly prefix: Hex;
  readonly takesAccessList: boolean;
  /** The member of a request that this type alone has. */
  readonly ownMember: (fault: MemberFault, input: TransactionInput) => Pick<EvmCall, 'feeCurrency' | 'nonceKey'>;
  readonly serialize: (call: EvmCall, nonce: number, fees: FeeTerms) => Hex;
  /** Reads the builder's own bytes; throws for what is none of this type. */
  readonly membersOf: (bytes: Hex) => Omit<TransactionInput, 'value'> & { readonly value: bigint; readonly fees: FeeTerms };
  readonly attach: (bytes: Hex, signature: Signature) => Hex;
};

/** How the bytes of a network are written. */
type SerializeSlot = {
  /** A transfer in the form in which the network takes it and its decoder expects it. */
  readonly transfer: (members: TransferMembers) => Hex;
  /** Types of raw transactions, all but the variant's own. */
  readonly types: readonly EvmTransactionType[];
  readonly typeUnlessNamed: EvmTransactionType;
  readonly ownType: Slot<OwnType>;
  /** The transaction in which a sponsor carries an operation of another account. */
  readonly sponsored: Slot<
    (sponsored: Sponsored, nonce: number, fees: FeeTerms) => { readonly bytes: Hex; readonly operationHash: string }
  >;
};

/** Prices of fees, and the balance that pays them. Balances and prices count in the unit of fees. */
type FeeSlot = {
  readonly market: (rpc: Rpc) => Promise<Markets>;
  /** Pays fees unless a transaction names a currency for them. */
  readonly balance: (ask: Rpc, address: string) => Promise<bigint>;
  /** The balance in the native coin. */
  readonly coin: Slot<(ask: Rpc, address: string) => Promise<bigint>>;
  /** The token that pays fees in place of a coin; one unit of it is `scale` units of fees. */
  readonly token: Slot<{ readonly contract: string; readonly scale: bigint }>;
  readonly currencies: Slot<{
    /** The one in which transfers pay; undefined for the native coin. */
    readonly chosen: string | undefined;
    readonly market: (rpc: Rpc, feeCurrency: string) => Promise<Markets>;
    readonly balance: (ask: Rpc, address: string, feeCurrency: string) => Promise<bigint>;
  }>;
  /** Highest fee for the data of unsigned bytes besides that for their gas, in wei. Throws `NetworkUnavailable` when no node tells it. */
  readonly dataFee: Slot<(ask: Rpc, unsigned: Hex) => Promise<bigint>>;
};

/** Counts of nonces that an account has beside its own, each for a key from 1 on. */
type LaneSlot = {
  /** The service uses the keys from 1 up to this one. */
  readonly keys: number;
  /** The next nonce of a lane, as of a block. */
  readonly countOf: (ask: Rpc, address: string, nonceKey: bigint, block?: string) => Promise<number>;
};

/** A variant on the side that builds. `decoder-variants.ts` has the slot of the decoder, which shares no code with these. */
export type EvmVariantSlots = {
  readonly serialize: SerializeSlot;
  readonly fees: FeeSlot;
  readonly lanes: Slot<LaneSlot>;
};
