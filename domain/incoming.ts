/** One movement of an asset to a wallet of ours, as the chain has it. */
export type IncomingTransfer = {
  readonly walletId: string;
  readonly network: string;
  readonly txHash: string;
  /** Which movement of the transaction this is, as the network counts them. */
  readonly indexInTx: string;
  readonly blockNumber: number;
  /** Canonical; null where the chain names no sender. */
  readonly fromAddress: string | null;
  /** Canonical. */
  readonly toAddress: string;
  /** Canonical address of the token; null for the native asset. */
  readonly contract: string | null;
  /** In smallest units of the asset, as a decimal string. */
  readonly amountUnits: string;
  readonly decimals: number;
  readonly symbol: string | null;
  /** ISO 8601: when its inclusion was detected. */
  readonly dateDetected: string;
};
