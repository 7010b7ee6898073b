/** Without `contract`, the asset is the native asset of the network. */
export type PricedAsset = { readonly network: string; readonly contract?: string };

/** The price of one whole unit of an asset, in micro-units of a currency. Limits use dollars; euros are only for display. */
export type Price = {
  readonly usdMicro: bigint;
  readonly eurMicro?: bigint;
  /** Present only if the source states the decimals. */
  readonly decimals?: number;
  /** Absent for a fixed price. */
  readonly date?: Date;
};

/** Undefined means that the price is unknown: the caller must fail closed, never guess. */
export interface Prices {
  priceOf(asset: PricedAsset): Promise<Price | undefined>;
}
