import { exactMicro, exactParts, FRACTION_DIGITS, ofParts, unitsOfMicro } from './amounts';

export const FIATS = ['EUR', 'USD'] as const;
export type Fiat = (typeof FIATS)[number];

/** Exact decimal strings. A currency without a known value is absent. */
export type Quotes = { readonly [F in Fiat]?: string };

/** The price of one whole asset, in micro-units. */
export type MicroPrices = { readonly [F in Fiat]?: bigint };

/** `balanceUnits` is null if the balance cannot be read. */
export type Holding = { readonly balanceUnits: bigint | null; readonly decimals: number; readonly prices: MicroPrices };

export const quotesOf = (prices: MicroPrices): Quotes =>
  perFiat((fiat) => {
    const micro = prices[fiat];
    return micro === undefined ? undefined : unitsOfMicro(String(micro));
  });

/**
 * The total worth in each currency. A currency is absent if any holding's worth in the currency is unknown, because a partial
 * sum would be mistaken for the total. A currency is also absent if no holding has a price.
 */
export const netWorthOf = (holdings: readonly Holding[]): Quotes =>
  perFiat((fiat) => {
    if (holdings.every(({ prices }) => prices[fiat] === undefined)) return undefined;
    const worths = holdings.map((holding) => worthOf(holding, fiat));
    const parts = worths.reduce<bigint | undefined>(
      (sum, worth) => (sum === undefined || worth === undefined ? undefined : sum + worth),
      0n,
    );
    return parts === undefined ? undefined : unitsOfMicro(ofParts(parts));
  });

/** In the parts that `exactParts` counts. A zero balance is worth zero even without a price. */
function worthOf({ balanceUnits, decimals, prices }: Holding, fiat: Fiat): bigint | undefined {
  if (balanceUnits === 0n) return 0n;
  const price = prices[fiat];
  if (balanceUnits === null || price === undefined || decimals > FRACTION_DIGITS) return undefined;
  return exactParts(exactMicro(balanceUnits, decimals, price));
}

const perFiat = (quoteIn: (fiat: Fiat) => string | undefined): Quotes =>
  Object.fromEntries(
    FIATS.flatMap((fiat) => {
      const quote = quoteIn(fiat);
      return quote === undefined ? [] : [[fiat, quote]];
    }),
  );
