/** One asset's movement to its recipients, as the decoded bytes of the transaction show it. */
export type Movement = {
  readonly network: string;
  /** Canonical address of the token; null for the native asset. */
  readonly contract: string | null;
  /** Canonical addresses, at least one. */
  readonly recipients: readonly string[];
  /** In smallest units of the asset. */
  readonly amountUnits: bigint;
};
