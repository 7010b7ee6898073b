import { FIATS, type Fiat, type Quotes } from '../../domain/prices';

export type QuotesView = { readonly [F in Fiat]?: number };

/**
 * Prices as JSON numbers, because the interface requires numbers. Each exact price is rounded to the nearest JavaScript number.
 * Undefined if no price is known: the caller then leaves the prices out of the response.
 */
export function quotesView(quotes: Quotes | null): QuotesView | undefined {
  const known = FIATS.flatMap((fiat) => {
    const quote = quotes?.[fiat];
    return quote === undefined ? [] : [[fiat, Number(quote)] as const];
  });
  return known.length === 0 ? undefined : Object.fromEntries(known);
}
