import { exactMicro } from '../../domain/amounts';
import type { NetworkName } from '../../domain/networks';
import type { Prices } from '../../vendors/prices/port';

type Amount = {
  readonly network: NetworkName;
  /** Null for the native asset. */
  readonly contract: string | null;
  /** Null if unknown. */
  readonly decimals: number | null;
  readonly amountUnits: bigint;
};

/**
 * The exact value in micro-USD as a decimal string. Null if the price or the decimals are unknown, or if the price is for other
 * decimals.
 */
export async function usdMicroOf(prices: Prices, { network, contract, decimals, amountUnits }: Amount): Promise<string | null> {
  // A cancellation moves 0 and must pass amount rules even while no price is known.
  if (contract === null && amountUnits === 0n) return '0';
  const price = await prices.priceOf({ network, ...(contract === null ? {} : { contract }) });
  if (!price || decimals === null) return null;
  // A price for other decimals would be wrong by a power of ten (S13).
  if (price.decimals !== undefined && price.decimals !== decimals) return null;
  return exactMicro(amountUnits, decimals, price.usdMicro);
}
