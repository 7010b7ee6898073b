import type { PaymentKind } from './movements';

export type IncomingTransfer = {
  readonly kind: PaymentKind;
  readonly walletId: string;
  readonly network: string;
  readonly txHash: string;
  /** The `ordinal` of the movement, which stays the same if a reorganisation moves the transaction into another block. */
  readonly indexInTx: string;
  /** The index of the log within the block; null if no log reports the movement. */
  readonly logIndex: string | null;
  readonly blockNumber: number;
  /** Canonical address; null if the chain does not name a sender. */
  readonly fromAddress: string | null;
  /** All senders; null unless the family's transactions have a list of senders. */
  readonly fromAddresses: readonly string[] | null;
  /** Canonical address. */
  readonly toAddress: string;
  /** Canonical address of the token; null for the native asset. */
  readonly contract: string | null;
  /** In smallest units of the asset, as a decimal string. */
  readonly amountUnits: string;
  readonly decimals: number;
  readonly symbol: string | null;
  /** When the service detected the inclusion, as ISO 8601. */
  readonly dateDetected: string;
};
