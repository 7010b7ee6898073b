/** A movement of one asset to its recipients, as far as the decoded bytes of the transaction show. */
export type Movement = {
  readonly network: string;
  /** Canonical address of the token; null for the native asset. */
  readonly contract: string | null;
  /** Canonical addresses, at least one. */
  readonly recipients: readonly string[];
  /** In smallest units of the asset. */
  readonly amountUnits: bigint;
};
