/** One asset on its way to recipients, as far as its decoded bytes show. */
export type Movement = {
  readonly network: string;
  /** Canonical address of the token; null for the native asset. */
  readonly contract: string | null;
  /** Canonical addresses, at least one. */
  readonly recipients: readonly string[];
  /** In smallest units of the asset. */
  readonly amountUnits: bigint;
};
