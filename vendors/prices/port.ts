/** An asset of a network; without `contract` its native asset. */
export type PricedAsset = { readonly network: string; readonly contract?: string };

/** `usdMicro` is the price of one whole asset in micro-USD. `decimals` only where the source states them. */
export type Price = { readonly usdMicro: bigint; readonly decimals?: number };

/** A source of prices. Undefined means that the price is not known: whoever asks must close, never guess. */
export interface Prices {
  priceOf(asset: PricedAsset): Promise<Price | undefined>;
}
